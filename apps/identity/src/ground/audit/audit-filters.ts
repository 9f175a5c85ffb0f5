import { AUDIT_ACTIONS, type AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { listAuditEntries } from '@bearing/contracts/identity/audit/audit-log'
import type { Input } from '@bearing/contracts/operation'
import type { AuditRecord } from '@bearing/service/audit/audit-row'
import type { Prisma } from '../../generated/prisma/client.js'
import type { Database } from '../database.js'

type Filters = Omit<Input<typeof listAuditEntries>, 'page' | 'per_page' | 'cursor'>

const ACTIONS = Object.values(AUDIT_ACTIONS).flatMap((actions) => Object.keys(actions))

/** Returns the condition for filters. It always selects one organization. Each filter alone is served by an index. */
export async function auditFilters(
  database: Database,
  filters: Filters,
): Promise<Prisma.AuditEntryWhereInput> {
  const { organization_id: organizationId, action, actor, target, request_id: requestId, from, to } = filters
  return {
    organizationId,
    ...(action !== undefined && { action: action.includes('.') ? action : { in: actionsOf(action) } }),
    ...(actor !== undefined && (await byActor(database, organizationId, actor))),
    ...(target !== undefined && { target }),
    ...(requestId !== undefined && { requestId }),
    at: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) },
  }
}

function actionsOf(noun: string): string[] {
  return ACTIONS.filter((action) => action.startsWith(`${noun}.`))
}

/** Returns the event of a reading of an audit log. It is recorded once an hour for each caller. */
export function readingOf(
  action: Extract<AuditAction<'identity'>, `audit_log.${string}`>,
  organizationId: string,
): AuditRecord<typeof action> {
  return { action, target: ['organization', organizationId], organizationId }
}

/** An id is that of a user or of a credential. Asking which one is cheaper than a condition with "or", which no index orders. */
async function byActor(
  database: Database,
  organizationId: string,
  id: string,
): Promise<Prisma.AuditEntryWhereInput> {
  const where = { organizationId, actorUserId: id }
  const isUser = await database.auditEntry.findFirst({ where, select: { id: true } })
  return isUser ? { actorUserId: id } : { actorCredentialId: id }
}
