import { OperationError } from '@bearing/contracts/errors'
import type { OrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import { administers } from '@bearing/contracts/identity/tokens/token-presets'
import { Permission } from '@bearing/contracts/permission'
import type { Workload } from '@bearing/contracts/principal'
import type { Details } from '@bearing/service/audit/audit-row'
import type { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client.js'
import { tokenState, type TokenLife } from '../../ground/rules/token-state.js'

/** The token does not exist or belongs to another organization: callers cannot distinguish that. */
export function tokenNotFound(): OperationError {
  return new OperationError('organization_token_not_found', 'The organization has no such auth token.')
}

/** The columns to return: neither hash nor pepper. */
export const SHOWN = {
  id: true,
  description: true,
  permissions: true,
  boundProjectIds: true,
  boundPermissions: true,
  scimConnectionId: true,
  createdAt: true,
  createdBy: true,
  expiresAt: true,
  deletedAt: true,
  leakedAt: true,
  allowedAddresses: true,
  lastUse: { select: { usedAt: true, address: true, userAgent: true } },
  replaces: true,
  replacedBy: true,
  ancestors: true,
  workload: true,
} as const

export interface OrganizationTokenRow extends TokenLife {
  readonly id: string
  readonly description: string
  readonly permissions: string[]
  readonly boundProjectIds: string[]
  readonly boundPermissions: string[]
  readonly scimConnectionId: string | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly leakedAt: Date | null
  readonly allowedAddresses: string[]
  readonly lastUse: {
    readonly usedAt: Date
    readonly address: string
    readonly userAgent: string | null
  } | null
  readonly replaces: string | null
  readonly replacedBy: string | null
  readonly ancestors: string[]
  readonly workload: Prisma.JsonValue
}

/** Returns the workload that a token comes from. */
export function workloadOf({ workload }: Pick<OrganizationTokenRow, 'workload'>): Workload | undefined {
  return workload === null ? undefined : (workload as unknown as Workload) // written by the exchange alone
}

/** Returns the tokens that a token was derived from, the first one first. A workload's first ancestor is its trust. */
export function ancestorTokens(row: Pick<OrganizationTokenRow, 'ancestors' | 'workload'>): readonly string[] {
  return workloadOf(row) ? row.ancestors.slice(1) : row.ancestors
}

/** Returns the permissions of a token, on its bound projects or on all. */
export function grantedPermissions({
  permissions,
  boundPermissions,
  boundProjectIds,
}: Pick<OrganizationTokenRow, 'permissions' | 'boundPermissions' | 'boundProjectIds'>): string[] {
  return boundProjectIds.length > 0 ? boundPermissions : permissions
}

/** Returns the audit details of a new token. */
export function tokenDetails(
  row: Pick<
    OrganizationTokenRow,
    'description' | 'permissions' | 'boundProjectIds' | 'boundPermissions' | 'allowedAddresses' | 'expiresAt'
  > & { readonly scimConnectionId?: string | null },
): Details {
  return {
    description: row.description,
    permissions: grantedPermissions(row),
    administers: administers(grantedPermissions(row)),
    ...(row.boundProjectIds.length > 0 && { project_ids: row.boundProjectIds }),
    ...(typeof row.scimConnectionId === 'string' && { scim_connection_id: row.scimConnectionId }),
    allowed_addresses: row.allowedAddresses,
    expires_at: row.expiresAt?.toISOString() ?? null,
  }
}

/** Returns a token as the contract has it. */
export function toOrganizationToken(
  row: OrganizationTokenRow,
  now: Date,
): z.output<typeof OrganizationToken> {
  return {
    id: row.id,
    description: row.description,
    // Another version of Bearing may have stored permissions that this one does not know.
    permissions: grantedPermissions(row).filter((name) => Permission.safeParse(name).success) as Permission[],
    administers: administers(grantedPermissions(row)),
    project_ids: row.boundProjectIds.length > 0 ? row.boundProjectIds : null,
    scim_connection_id: row.scimConnectionId,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    expires_at: row.expiresAt?.toISOString() ?? null,
    deleted_at: row.deletedAt?.toISOString() ?? null,
    leaked_at: row.leakedAt?.toISOString() ?? null,
    state: tokenState(row, now),
    allowed_addresses: row.allowedAddresses,
    last_used: row.lastUse && {
      at: row.lastUse.usedAt.toISOString(),
      address: row.lastUse.address,
      user_agent: row.lastUse.userAgent,
    },
    replaces: row.replaces,
    replaced_by: row.replacedBy,
    derived_from: ancestorTokens(row).at(-1) ?? null,
    workload: workloadOf(row) ?? null,
  }
}
