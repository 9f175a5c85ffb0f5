import { AUDIT_FORMAT } from '@bearing/access/audit-chain'
import type { AuditEvent, AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { toAuditEvent } from '@bearing/service/audit/audit-event'
import type { AuditRow, Details } from '@bearing/service/audit/audit-row'
import type { AuditEntry as StoredEntry } from '../../generated/prisma/client.js'

/** The chain of events outside of organizations. No organization has this id. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** Returns the chain that a row belongs to. */
export function chainOf({ organizationId }: Pick<AuditRow, 'organizationId'>): string {
  return organizationId ?? NO_ORGANIZATION
}

/** Returns the row of an audit event of another service. */
export function fromAuditEvent(event: AuditEvent): AuditRow {
  return {
    id: event.id,
    organizationId: event.organization_id,
    at: new Date(event.at),
    actorKind: event.actor_kind,
    actorCredentialId: event.actor_credential_id,
    actorUserId: event.actor_user_id,
    actorService: event.actor_service,
    action: event.action,
    target: event.target,
    details: event.details,
    address: event.address,
    requestId: event.request_id,
  }
}

/** Returns a stored row as the contract has it, and as it was hashed. */
export function toEntry(row: StoredEntry): AuditEntry {
  return {
    ...toAuditEvent({ ...row, details: row.details as Details }), // written by us, and checked by its hash
    format: row.format === null ? null : AUDIT_FORMAT,
    sequence: row.sequence === null ? null : Number(row.sequence),
    previous_hash: toHex(row.previousHash),
    service: row.service,
    hash: toHex(row.hash),
  }
}

function toHex(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('hex')
}
