import type { OrganizationToken } from '@bearing/contracts/identity/organization-token'
import { Permission } from '@bearing/contracts/permission'
import type { z } from 'zod'
import { tokenState, type TokenLife } from '../rules/token-state.js'

/** What of a token's row is shown: not its hash. */
export const SHOWN = {
  id: true,
  description: true,
  permissions: true,
  createdAt: true,
  createdBy: true,
  expiresAt: true,
  deletedAt: true,
} as const

interface Row extends TokenLife {
  readonly id: string
  readonly description: string
  readonly permissions: string[]
  readonly createdAt: Date
  readonly createdBy: string
}

/** A token as operations return it. */
export function toOrganizationToken(row: Row, now: Date): z.output<typeof OrganizationToken> {
  return {
    id: row.id,
    description: row.description,
    // A row may hold a permission that a newer or older version knows and this one does not.
    permissions: row.permissions.filter((name) => Permission.safeParse(name).success) as Permission[],
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    expires_at: row.expiresAt?.toISOString() ?? null,
    deleted_at: row.deletedAt?.toISOString() ?? null,
    state: tokenState(row, now),
  }
}
