import { auditRow, type Actor, type AuditRecord } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { beforeCommit } from '@bearing/service/transactions'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'
import { AuditChain } from './audit-chain.js'
import { chainOf } from './audit-entry.js'

/** What can be done here. */
export type Action =
  | 'user.created'
  | 'user.bootstrapped'
  | 'user.registered'
  | 'password.changed'
  | 'password.reset_requested'
  | 'password.reset'
  | 'invitation.created'
  | 'invitation.resent'
  | 'invitation.revoked'
  | 'invitation.accepted'
  | 'user.deleted'
  | 'user_key.cycled'
  | 'user_key.deleted'
  | 'user_key.leaked'
  | 'session.started'
  | 'sign_in_network.added'
  | 'session.refused'
  | 'session.ended'
  | 'second_factor.enrolled'
  | 'second_factor.removed'
  | 'second_factor.reset'
  | 'recovery_codes.renewed'
  | 'sign_in_policy.changed'
  | 'sign_in_policy.released'
  | 'sso_connection.created'
  | 'sso_connection.changed'
  | 'sso_connection.deleted'
  | 'sso_identity.linked'
  | 'sso_identity.unlinked'
  | 'partner_team.founded'
  | 'partner_link.requested'
  | 'partner_link.confirmed'
  | 'partner_link.refused'
  | 'sso_domain.added'
  | 'sso_domain.verified'
  | 'sso_domain.deleted'
  | 'organization_token.created'
  | 'organization_token.deleted'
  | 'organization_token.rotated'
  | 'organization_token.leaked'
  | 'organization_token_policy.changed'
  | 'legacy_tokens.imported'
  | 'legacy_token.deleted'
  | 'project_key.created'
  | 'project_key.cycled'
  | 'project_key.grace_shortened'
  | 'project_settings.changed'
  | 'membership.granted'
  | 'membership.promoted'
  | 'membership.demoted'
  | 'membership.removed'
  | 'project_member.set'
  | 'project_member.removed'
  | 'organization.founded'
  | 'service_claims.issued'

/** Writes down who did what, in the transaction that did it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly chain: AuditChain,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Writes one row when all else of the transaction is done: whoever else writes to the same chain waits until its end. */
  record(transaction: Transaction, by: Actor, entry: AuditRecord<Action>): Promise<void> {
    const row = auditRow(by, entry, this.clock, this.randomness)
    beforeCommit(transaction, chainOf(row), () => this.chain.append(transaction, row, 'identity'))
    return Promise.resolve()
  }
}
