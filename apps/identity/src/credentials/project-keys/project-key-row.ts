import type { ProjectKey } from '@bearing/contracts/identity/project-key'
import type { z } from 'zod'

interface Row {
  readonly key: string
  readonly createdAt: Date
  readonly replaced: readonly { readonly key: string; readonly createdAt: Date; readonly expiresAt: Date }[]
}

/** The columns to return: the current key, and replaced ones within their grace period. */
export function shown(now: Date) {
  return {
    key: true,
    createdAt: true,
    replaced: {
      select: { key: true, createdAt: true, expiresAt: true },
      where: { expiresAt: { gt: now } },
      orderBy: { expiresAt: 'desc' },
    },
  } as const
}

/** Returns a project's keys as the contract has them. */
export function toProjectKey(row: Row): z.output<typeof ProjectKey> {
  return {
    api_key: row.key,
    created_at: row.createdAt.toISOString(),
    in_grace: row.replaced.map(({ key, createdAt, expiresAt }) => ({
      api_key: key,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
  }
}

/** Returns a new key: 32 characters of 0–9 and a–f. */
export function newProjectKey(bytes: (length: number) => Uint8Array): string {
  return Buffer.from(bytes(16)).toString('hex')
}
