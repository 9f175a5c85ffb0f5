import { normalizeRange } from '@bearing/access/address-ranges'
import { administers } from '@bearing/contracts/identity/tokens/token-presets'
import { OperationError, refuseMistakes } from '@bearing/contracts/errors'
import { platformOf, type WorkloadPlatform } from '@bearing/contracts/identity/workloads/workload-platforms'
import type {
  changeWorkloadTrust,
  createWorkloadTrust,
} from '@bearing/contracts/identity/workloads/workload-trust'
import type { Input, Output } from '@bearing/contracts/operation'
import { Permission } from '@bearing/contracts/permission'
import type { Details } from '@bearing/service/audit/audit-row'
import { Prisma, type WorkloadTrust as Row } from '../generated/prisma/client.js'
import type { Transaction } from '../ground/database.js'
import { tokenRequestMistakes } from '../ground/rules/token-request.js'
import { latestTokenEnd } from '../credentials/organization-token-policy/latest-token-end.js'
import { newReach } from '../credentials/organization-tokens/token-reach.js'
import { trustMistakes } from './rules/trust-mistakes.js'

type Wanted = Input<typeof createWorkloadTrust> | Input<typeof changeWorkloadTrust>

export function trustNotFound(): OperationError {
  return new OperationError('workload_trust_not_found', 'The organization has no such trust.')
}

/**
 * Returns the columns of a trust as it is asked for.
 *
 * @throws OperationError `invalid_input`, `project_not_found`, `administration_forbidden`
 */
export async function trustColumns(transaction: Transaction, input: Wanted, now: Date) {
  const { organization_id: organizationId, project_ids: projectIds = null, permissions } = input
  refuseMistakes([...trustMistakes({ ...input, issuer: input.issuer }), ...tokenRequestMistakes(input, now)])
  await latestTokenEnd(transaction, organizationId, permissions, now)
  const { boundProjectIds } = await newReach(transaction, permissions, { organizationId, projectIds })
  return {
    name: input.name,
    platform: input.platform,
    issuer: input.issuer ?? platformOf(input.platform).issuer ?? '',
    jwks: input.jwks === undefined ? Prisma.DbNull : (input.jwks as Prisma.InputJsonObject), // JSON, from the contract
    audience: input.audience,
    claims: input.claims,
    permissions: [...new Set(permissions)],
    projectIds: boundProjectIds,
    allowedAddresses: [...new Set(input.allowed_addresses.flatMap((text) => normalizeRange(text) ?? []))],
    lifetimeS: input.lifetime_seconds,
    singleUse: input.single_use,
  }
}

/** Returns the audit details of a trust. */
export function trustDetails(row: Row): Details {
  return {
    name: row.name,
    issuer: row.issuer,
    audience: row.audience,
    claims: Object.entries(claimsOf(row)).map(([name, value]) => `${name}=${value}`),
    permissions: row.permissions,
    administers: administers(row.permissions),
    ...(row.projectIds.length > 0 && { project_ids: row.projectIds }),
    lifetime_seconds: row.lifetimeS,
  }
}

export function claimsOf({ claims }: Pick<Row, 'claims'>): Readonly<Record<string, string>> {
  return claims as Record<string, string> // the contract has checked it
}

/** Returns a trust as the contract has it. */
export function toTrust(row: Row, lastExchangeAt: Date | null): Output<typeof createWorkloadTrust> {
  return {
    id: row.id,
    name: row.name,
    platform: row.platform as WorkloadPlatform, // the contract has checked it
    issuer: row.issuer,
    has_pasted_keys: row.jwks !== null,
    audience: row.audience,
    claims: claimsOf(row),
    permissions: row.permissions.filter((name) => Permission.safeParse(name).success) as Permission[],
    administers: administers(row.permissions),
    project_ids: row.projectIds.length > 0 ? row.projectIds : null,
    allowed_addresses: row.allowedAddresses,
    lifetime_seconds: row.lifetimeS,
    single_use: row.singleUse,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    last_exchange_at: lastExchangeAt?.toISOString() ?? null,
  }
}
