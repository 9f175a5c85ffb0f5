import type { AuditAction } from '@bearing/contracts/identity/audit-log'
import type { Principal } from '@bearing/contracts/principal'
import { auditRow, type AuditRecord } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from './database.js'

/** Writes down who did what, in the transaction that did it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Writes one row. @returns its id */
  async record(
    transaction: Transaction,
    by: Principal,
    entry: AuditRecord<AuditAction<'location'>>,
  ): Promise<string> {
    const row = auditRow(by, entry, this.clock, this.randomness)
    await transaction.auditEntry.create({ data: row })
    return row.id
  }
}
