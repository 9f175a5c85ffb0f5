import type { Principal } from '@bearing/contracts/principal'
import { auditRow, type Deed } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'

/** What somebody can do here. What the service does by itself: `access-point-imports/commit-transaction.ts`. */
type Action =
  | 'access_point_import.begun'
  | 'access_point_import.submitted'
  | 'access_point.forgotten'
  | 'area.forgotten'
  | 'cell.forgotten'
  | 'device_positions.deleted'
  | 'location_fallback.set'
  | 'location_fallback.turned_off'
  | 'location_settings.changed'
  | 'observations.exported'
  | 'position_policy.changed'
  | 'rejected_observations.replayed'
  | 'sharing.approved'
  | 'sharing.revoked'

/** Writes down who did what, in the transaction that did it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Writes one row. @returns its id */
  async record(transaction: Transaction, by: Principal, deed: Deed<Action>): Promise<string> {
    const row = auditRow(by, deed, this.clock, this.randomness)
    await transaction.auditEntry.create({ data: row })
    return row.id
  }
}
