import { OperationError } from '@bearing/contracts/errors'
import { changeSignInPolicy } from '@bearing/contracts/identity/sso/sign-in-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import type { OrganizationRule } from '../../generated/prisma/client.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { ProveSecondFactor } from '../../people/second-factor/prove-second-factor.js'
import { callingSession } from '../../people/sessions/calling-session.js'
import { SessionSettings } from '../../people/sessions/session-settings.js'
import { callingUser } from '../../people/users/calling-user.js'
import { toSignInPolicy } from './to-sign-in-policy.js'

@Controller()
export class ChangeSignInPolicy {
  constructor(
    private readonly database: Database,
    private readonly secondFactor: ProveSecondFactor,
    private readonly settings: SessionSettings,
    private readonly clock: Clock,
  ) {}

  @Handle(changeSignInPolicy)
  async execute(
    input: Input<typeof changeSignInPolicy>,
    by: Principal,
  ): Promise<Output<typeof changeSignInPolicy>> {
    const {
      organization_id: organizationId,
      sso_required,
      second_factor_required,
      second_factor_kind,
      device_logins,
    } = input
    const { userId } = callingUser(by)
    const change = {
      ...(sso_required !== undefined && { ssoRequired: sso_required }),
      ...(second_factor_required !== undefined && { secondFactorRequired: second_factor_required }),
      ...(second_factor_kind !== undefined && { secondFactorKind: second_factor_kind }),
      ...(device_logins !== undefined && { deviceLogins: device_logins }),
    }
    const rule = await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sign-in-policy:change')
      const bySso = await this.sessionsThroughConnection(transaction, userId, organizationId)
      if (change.ssoRequired && bySso.length === 0) throw notBySso()
      // The organization trusts its own provider with the second factor.
      const callsBySso = bySso.some(({ id }) => id === callingSession(by))
      const before = await transaction.organizationRule.findUnique({ where: { organizationId } })
      if ((change.secondFactorRequired ?? change.secondFactorKind) && !callsBySso)
        await this.refuseWithoutSecondFactor(transaction, userId, { ...before, ...change })
      const rule = await transaction.organizationRule.upsert({
        where: { organizationId },
        create: { organizationId, ...change },
        update: change,
      })
      recordAudit(transaction, by, {
        action: 'sign_in_policy.changed',
        target: ['organization', organizationId],
        organizationId,
        details: {
          sso_required: rule.ssoRequired,
          sso_required_before: before?.ssoRequired ?? false,
          second_factor_required: rule.secondFactorRequired,
          second_factor_required_before: before?.secondFactorRequired ?? false,
          second_factor_kind: rule.secondFactorKind,
          second_factor_kind_before: before?.secondFactorKind ?? 'any',
          device_logins: rule.deviceLogins,
          device_logins_before: before?.deviceLogins ?? 'on',
        },
      })
      recordCredentialChange(transaction, `organization:${organizationId}`)
      return rule
    })
    return toSignInPolicy(rule)
  }

  /** Returns the active sessions of the user through a connection of the organization. The locked admins keep it in place. */
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

  private async refuseWithoutSecondFactor(
    transaction: Transaction,
    userId: string,
    { secondFactorRequired = false, secondFactorKind = 'any' }: Partial<OrganizationRule>,
  ): Promise<void> {
    if (!secondFactorRequired) return
    const needsPasskey = secondFactorKind !== 'any'
    const exists = needsPasskey
      ? (await transaction.passkey.count({ where: { userId } })) > 0
      : await this.secondFactor.exists(transaction, userId)
    if (!exists)
      throw new OperationError(
        'second_factor_required',
        needsPasskey
          ? 'You have no passkey yourself, and would lock yourself out. Add one first, on the dashboard.'
          : 'You have no second factor yourself, and would lock yourself out. Set one up first (POST /auth/totp).',
      )
  }
}

/** Admins who enable a rule must satisfy it themselves, so that they do not lock themselves out. */
function notBySso(): OperationError {
  return new OperationError(
    'sso_required',
    'You are not signed in through a connection of the organization, and could lock everyone out. Sign in through one in a browser first; then repeat this call with any credential.',
  )
}
