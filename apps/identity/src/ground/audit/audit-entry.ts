import { AUDIT_FORMAT } from '@bearing/access/audit-chain'
import type { AuditDeed, AuditEntry } from '@bearing/contracts/identity/audit-log'
import { toDeed } from '@bearing/service/audit-deed'
import type { AuditRow, Details } from '@bearing/service/audit-row'
import type { AuditEntry as StoredEntry } from '../../generated/prisma/client.js'

/** The chain of what happens in no organization: ids of organizations are never this. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** The chain that a row belongs to. */
export function chainOf({ organizationId }: Pick<AuditRow, 'organizationId'>): string {
  return organizationId ?? NO_ORGANIZATION
}

/** A row that another service has handed over. */
export function fromDeed(deed: AuditDeed): AuditRow {
  return {
    id: deed.id,
    organizationId: deed.organization_id,
    at: new Date(deed.at),
    actorKind: deed.actor_kind,
    actorCredentialId: deed.actor_credential_id,
    actorUserId: deed.actor_user_id,
    actorService: deed.actor_service,
    action: deed.action,
    target: deed.target,
    details: deed.details,
    address: deed.address,
    requestId: deed.request_id,
  }
}

/** A stored row as operations return it, and as it was hashed: nothing is taken from anywhere but its columns. */
export function toEntry(row: StoredEntry): AuditEntry {
  return {
    ...toDeed({ ...row, details: row.details as Details }), // written by us, and checked by its hash
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
