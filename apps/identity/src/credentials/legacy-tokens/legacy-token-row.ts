import { OperationError } from '@bearing/contracts/errors'
import type { LegacyToken } from '@bearing/contracts/identity/tokens/legacy-token'
import type { z } from 'zod'

type Shown = z.output<typeof LegacyToken>

/** The token does not exist or belongs to another organization: callers cannot distinguish that. */
export function legacyTokenNotFound(): OperationError {
  return new OperationError('legacy_token_not_found', 'The organization has no such legacy location token.')
}

/** The columns to return: not the hash. */
export const SHOWN = {
  id: true,
  kind: true,
  description: true,
  importedAt: true,
  sunsetAt: true,
  lastUsedAt: true,
  projectId: true,
} as const

interface LegacyTokenRow {
  readonly id: string
  readonly kind: string
  readonly description: string
  readonly importedAt: Date
  readonly sunsetAt: Date
  readonly lastUsedAt: Date | null
  readonly projectId: string | null
}

/** Returns a token as the contract has it. */
export function toLegacyToken(row: LegacyTokenRow, now: Date): Shown {
  return {
    id: row.id,
    kind: row.kind as Shown['kind'], // checked by the database
    description: row.description,
    imported_at: row.importedAt.toISOString(),
    sunset_at: row.sunsetAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    project_id: row.projectId,
    state: row.sunsetAt <= now ? 'retired' : 'active',
  }
}
