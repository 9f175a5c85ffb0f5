import type { AuditEvent } from '@bearing/contracts/identity/audit/audit-log'
import type { AuditRow } from './audit-row.js'

/** Returns the row of an audit log as it is sent over NATS, and as it is hashed. */
export function toAuditEvent<Details>(
  row: Omit<AuditRow, 'details'> & { readonly details: Details },
): Omit<AuditEvent, 'details'> & { readonly details: Details } {
  return {
    id: row.id,
    organization_id: row.organizationId,
    at: row.at.toISOString(),
    actor_kind: row.actorKind,
    actor_credential_id: row.actorCredentialId,
    actor_user_id: row.actorUserId,
    actor_service: row.actorService,
    action: row.action,
    target: row.target,
    details: row.details,
    address: row.address,
    request_id: row.requestId,
  }
}
