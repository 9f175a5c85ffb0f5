import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { Actor, AuditRecord } from '@bearing/service/audit/audit-row'
import { beforeCommit, newAuditRow } from '@bearing/service/store/transactions'
import type { Transaction } from '../database.js'
import { append } from './audit-chain.js'
import { chainOf } from './audit-entry.js'

/** Actions that identity records. */
export type Action = AuditAction<'identity'>

/** Records an audit event in the transaction that causes it. It is appended to its chain at the end of the transaction. */
export function recordAudit(transaction: Transaction, by: Actor, event: AuditRecord<Action>): void {
  const row = newAuditRow(transaction, by, event)
  beforeCommit(transaction, chainOf(row), () => append(transaction, [row], 'identity'))
}
