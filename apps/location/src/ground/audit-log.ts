import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { Actor, AuditRecord } from '@bearing/service/audit/audit-row'
import { recordAudit as record } from '@bearing/service/store/transactions'

/** Records an action of location in the audit log, in the transaction that does it. @returns the id of the entry */
export const recordAudit: (
  transaction: object,
  by: Actor,
  entry: AuditRecord<AuditAction<'location'>>,
) => string = record
