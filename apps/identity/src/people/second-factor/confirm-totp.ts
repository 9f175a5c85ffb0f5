import { confirmTotp } from '@bearing/contracts/identity/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { callingSession } from '../sessions/calling-session.js'
import { EndSessions } from '../sessions/end-sessions.js'
import { callingUser } from '../users/calling-user.js'
import { lockUser } from '../users/lock-user.js'
import { lockTotp } from './lock-totp.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { RecoveryCodes } from './recovery-codes.js'
import { noSecondFactor, secondFactorExists, secondFactorInvalid } from './second-factor-errors.js'

@Controller()
export class ConfirmTotp {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly secondFactor: ProveSecondFactor,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly sessions: EndSessions,
    private readonly clock: Clock,
  ) {}

  @Handle(confirmTotp)
  async execute(
    { totp_code }: Input<typeof confirmTotp>,
    by: Principal,
  ): Promise<Output<typeof confirmTotp>> {
    const { userId } = callingUser(by)
    const confirmed = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      const totp = await lockTotp(transaction, userId)
      if (!totp) throw noSecondFactor()
      if (totp.confirmedAt) throw secondFactorExists()
      // Not thrown in here: that it was wrong is counted, and has to be committed.
      if (!(await this.secondFactor.accept(transaction, totp, totp_code))) return undefined
      await transaction.totp.update({ where: { userId }, data: { confirmedAt: this.clock.now() } })
      const recovery_codes = await this.recoveryCodes.renew(transaction, userId)
      await this.raiseSession(transaction, by)
      await this.sessions.all(transaction, by, userId, callingSession(by))
      await this.audit.record(transaction, by, { action: 'second_factor.enrolled', target: ['user', userId] })
      return { recovery_codes, change: await this.changes.record(transaction, `user:${userId}`) }
    })
    if (!confirmed) throw secondFactorInvalid()
    await this.changes.publish(confirmed.change)
    return { recovery_codes: confirmed.recovery_codes }
  }

  /** The session that asks has just shown a code. All others were begun with the password alone. */
  private async raiseSession(transaction: Transaction, by: Principal): Promise<void> {
    const id = callingSession(by)
    if (id !== undefined)
      await transaction.session.updateMany({ where: { id }, data: { methods: { push: 'otp' } } })
  }
}
