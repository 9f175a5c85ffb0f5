import type { Principal } from '@bearing/contracts/principal'
import { auditRow, type Deed } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'

/** What can be done here. */
type Action =
  | 'user.created'
  | 'user.bootstrapped'
  | 'user_key.cycled'
  | 'user_key.deleted'
  | 'organization_token.created'
  | 'organization_token.deleted'
  | 'organization_token.rotated'
  | 'organization_token_policy.changed'
  | 'project_key.created'
  | 'project_key.cycled'
  | 'project_settings.changed'
  | 'membership.granted'
  | 'membership.promoted'
  | 'membership.demoted'
  | 'membership.removed'
  | 'project_member.set'
  | 'project_member.removed'
  | 'organization.founded'

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
