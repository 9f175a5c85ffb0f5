import type { AuditDeed } from '@bearing/contracts/identity/audit-log'
import type { AuditRow } from './audit-row.js'

/**
 * A row of an audit log as it crosses NATS, and as it is hashed.
 *
 * @param row what its details are is for whoever has written them to say
 */
export function toDeed<Details>(
  row: Omit<AuditRow, 'details'> & { readonly details: Details },
): Omit<AuditDeed, 'details'> & { readonly details: Details } {
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
