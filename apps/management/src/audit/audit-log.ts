import type { Principal } from '@bearing/contracts/principal'
import { auditRow, type Deed } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'

/** What can be done here. */
type Action =
  | 'organization.created'
  | 'project.created'
  | 'device.registered'
  | 'device.deleted'
  | 'data_policy.changed'
  | 'dead_letter.replayed'
  | 'file.created'
  | 'file.downloaded'
  | 'file.deleted'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.rotated'
  | 'webhook.deleted'
  | 'webhook.paused'

/** Writes down who did what, in the transaction that did it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Writes one row. */
  async record(transaction: Transaction, by: Principal, deed: Deed<Action>): Promise<void> {
    await transaction.auditEntry.create({ data: auditRow(by, deed, this.clock, this.randomness) })
  }
}
