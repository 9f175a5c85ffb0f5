import { OperationError } from '@bearing/contracts/errors'
import { changeSignInPolicy } from '@bearing/contracts/identity/sign-in-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { lockTotp } from '../../people/second-factor/lock-totp.js'
import { callingSession } from '../../people/sessions/calling-session.js'
import { SessionSettings } from '../../people/sessions/session-settings.js'
import { callingUser } from '../../people/users/calling-user.js'

@Controller()
export class ChangeSignInPolicy {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly settings: SessionSettings,
    private readonly clock: Clock,
  ) {}

  @Handle(changeSignInPolicy)
  async execute(
    input: Input<typeof changeSignInPolicy>,
    by: Principal,
  ): Promise<Output<typeof changeSignInPolicy>> {
    const organizationId = input.organization_id
    const { userId } = callingUser(by)
    const asked = {
      ...(input.sso_required !== undefined && { ssoRequired: input.sso_required }),
      ...(input.second_factor_required !== undefined && {
        secondFactorRequired: input.second_factor_required,
      }),
    }
    const { rule, change } = await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId, 'sign-in-policy:change')
      const bySso = await this.sessionsThroughConnection(transaction, userId, organizationId)
      if (asked.ssoRequired && bySso.length === 0) throw notBySso()
      // The organization trusts its own provider with it.
      const isOneOfThem = bySso.some(({ id }) => id === callingSession(by))
      if (asked.secondFactorRequired && !isOneOfThem) await refuseWithoutSecondFactor(transaction, userId)
      const before = await transaction.organizationRule.findUnique({ where: { organizationId } })
      const rule = await transaction.organizationRule.upsert({
        where: { organizationId },
        create: { organizationId, ...asked },
        update: asked,
      })
      await this.audit.record(transaction, by, {
        action: 'sign_in_policy.changed',
        target: ['organization', organizationId],
        organizationId,
        details: {
          sso_required: rule.ssoRequired,
          sso_required_before: before?.ssoRequired ?? false,
          second_factor_required: rule.secondFactorRequired,
          second_factor_required_before: before?.secondFactorRequired ?? false,
        },
      })
      return { rule, change: await this.changes.record(transaction, `organization:${organizationId}`) }
    })
    await this.changes.publish(change)
    return { sso_required: rule.ssoRequired, second_factor_required: rule.secondFactorRequired }
  }

  /**
   * The sessions that the user has begun through a connection of the organization: now, and not when their claims were
   * signed. The admins are locked, so the connection stays.
   */
  private sessionsThroughConnection(
    transaction: Transaction,
    userId: string,
    organizationId: string,
  ): Promise<{ readonly id: string }[]> {
    const now = this.clock.now()
    const idleSince = new Date(now.getTime() - this.settings.idleMs)
    const enabled = true
    const through = [
      { connection: { organizationId, enabled } },
      { connection: { enabled }, team: { organizationId } },
    ]
    return transaction.session.findMany({
      where: { userId, endsAt: { gt: now }, lastSeenAt: { gt: idleSince }, OR: through },
      select: { id: true },
    })
  }
}

/** Who switches a rule on has to fulfil it: nobody locks themselves out. */
function notBySso(): OperationError {
  return new OperationError(
    'sso_required',
    'You are not signed in through a connection of the organization, and could lock everybody out. Sign in through one in a browser first: then it is sure to work, and you can say it again from anywhere.',
  )
}

async function refuseWithoutSecondFactor(transaction: Transaction, userId: string): Promise<void> {
  const totp = await lockTotp(transaction, userId)
  if (!totp?.confirmedAt)
    throw new OperationError(
      'second_factor_required',
      'You have no second factor yourself, and would lock yourself out. Set one up first (POST /auth/totp).',
    )
}
