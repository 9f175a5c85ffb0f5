import type { listAuditEntries } from '@bearing/contracts/identity/audit-log'
import type { Input } from '@bearing/contracts/operation'
import type { Prisma } from '../../generated/prisma/client.js'

type Filters = Omit<Input<typeof listAuditEntries>, 'page' | 'per_page'>

/** Returns the condition for filters. It always selects one organization. */
export function auditFilters(filters: Filters): Prisma.AuditEntryWhereInput {
  const { organization_id: organizationId, action, actor, target, request_id: requestId, from, to } = filters
  return {
    organizationId,
    ...(action !== undefined && { action: action.includes('.') ? action : { startsWith: `${action}.` } }),
    ...(actor !== undefined && { OR: [{ actorUserId: actor }, { actorCredentialId: actor }] }),
    ...(target !== undefined && { target }),
    ...(requestId !== undefined && { requestId }),
    at: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) },
  }
}
