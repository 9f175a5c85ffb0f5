import { confirmTotp } from '@bearing/contracts/identity/people/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockTotp, lockUser } from '../../ground/locks.js'
import { callingUser } from '../users/calling-user.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { RecoveryCodes } from './recovery-codes.js'
import { noSecondFactor, secondFactorExists, secondFactorInvalid } from './second-factor-errors.js'
import { startSecondFactor } from './start-second-factor.js'

@Controller()
export class ConfirmTotp {
  constructor(
    private readonly database: Database,
    private readonly secondFactor: ProveSecondFactor,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly clock: Clock,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(confirmTotp)
  async execute(input: Input<typeof confirmTotp>, by: Principal): Promise<Output<typeof confirmTotp>> {
    const codes = await this.database.transaction((transaction) =>
      this.calls.once(transaction, confirmTotp, input, by, () =>
        this.confirm(transaction, input.totp_code, by),
      ),
    )
    if (!codes) throw secondFactorInvalid()
    return codes
  }

  /** Returns undefined if the code was wrong. It is not thrown, because the count of wrong codes must be committed. */
  private async confirm(
    transaction: Transaction,
    code: string,
    by: Principal,
  ): Promise<Output<typeof confirmTotp> | undefined> {
    const { userId } = callingUser(by)
    await lockUser(transaction, userId)
    const totp = await lockTotp(transaction, userId)
    if (!totp) throw noSecondFactor()
    if (totp.confirmedAt) throw secondFactorExists()
    if (!(await this.secondFactor.accept(transaction, totp, code))) return undefined
    await transaction.totp.update({ where: { userId }, data: { confirmedAt: this.clock.now() } })
    await startSecondFactor(transaction, by, 'otp')
    recordAudit(transaction, by, { action: 'second_factor.enrolled', target: ['user', userId] })
    recordCredentialChange(transaction, `user:${userId}`)
    return { recovery_codes: await this.recoveryCodes.renew(transaction, userId) }
  }
}
