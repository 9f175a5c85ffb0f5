import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { Actor, AuditRecord } from '@bearing/service/audit/audit-row'
import { recordAudit as record } from '@bearing/service/store/transactions'
import type { Transaction } from './database.js'

/** Records an audit event of management in the transaction of its action. Returns the id of the event. */
export const recordAudit: (
  transaction: Transaction,
  by: Actor,
  event: AuditRecord<AuditAction<'management'>>,
) => string = record
