import { DeviceSketch } from '@bearing/access/device-sketch'
import { toKeyImport } from './key-import-row.js'
import type { ProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { z } from 'zod'

const HOUR_MS = 3_600_000

interface Key {
  readonly id: string
  readonly key: string
  readonly createdAt: Date
}

interface Row extends Key {
  readonly replaced: readonly (Key & { readonly expiresAt: Date })[]
  readonly requested: {
    readonly key: string
    readonly network: string | null
    readonly requestedAt: Date
    readonly expiresAt: Date
  } | null
  readonly uses: readonly {
    readonly keyId: string
    readonly usedAt: Date
    readonly devices: readonly { readonly hour: Date; readonly registers: Uint8Array }[]
  }[]
}

/** The columns to return: the current key, replaced ones within their grace period, and the uses of all. */
export function shown(now: Date) {
  return {
    id: true,
    key: true,
    createdAt: true,
    replaced: {
      select: { id: true, key: true, createdAt: true, expiresAt: true },
      where: { expiresAt: { gt: now } },
      orderBy: { expiresAt: 'desc' },
    },
    requested: { select: { key: true, network: true, requestedAt: true, expiresAt: true } },
    uses: {
      select: {
        keyId: true,
        usedAt: true,
        devices: { select: { hour: true, registers: true }, where: { hour: { gt: since(now, 25) } } },
      },
    },
  } as const
}

/** Returns a project's keys as the contract has them. */
export function toProjectKey(row: Row, now: Date): z.output<typeof ProjectKey> {
  const shownKey = (key: Key) => ({
    api_key: key.key,
    created_at: key.createdAt.toISOString(),
    ...useOf(key.id, row, now),
  })
  return {
    ...shownKey(row),
    in_grace: row.replaced.map((key) => ({ ...shownKey(key), expires_at: key.expiresAt.toISOString() })),
    requested: row.requested && row.requested.expiresAt > now ? toKeyImport(row.requested) : null,
  }
}

function useOf(id: string, { uses }: Row, now: Date) {
  const use = uses.find(({ keyId }) => keyId === id)
  const devicesSince = (start: Date) => {
    const sketch = DeviceSketch.empty()
    for (const { hour, registers } of use?.devices ?? []) if (hour > start) sketch.merge(registers)
    return sketch.estimate()
  }
  return {
    last_used_at: use?.usedAt.toISOString() ?? null,
    devices: { last_hour: devicesSince(since(now, 2)), last_day: devicesSince(since(now, 25)) },
  }
}

/** Hours that begin after this moment have parts within the last hours. */
function since(now: Date, hours: number): Date {
  return new Date(now.getTime() - hours * HOUR_MS)
}

/** Returns a new key: 32 characters of 0–9 and a–f. */
export function newProjectKey(bytes: (length: number) => Uint8Array): string {
  return Buffer.from(bytes(16)).toString('hex')
}
