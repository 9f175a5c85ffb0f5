import { removeTotp } from '@bearing/contracts/identity/people/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockTotp } from '../../ground/locks.js'
import { callingUser, lockCaller } from '../users/calling-user.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { noSecondFactor, secondFactorInvalid } from './second-factor-errors.js'

@Controller()
export class RemoveTotp {
  constructor(
    private readonly database: Database,
    private readonly secondFactor: ProveSecondFactor,
  ) {}

  @Handle(removeTotp)
  async execute(input: Input<typeof removeTotp>, by: Principal): Promise<Output<typeof removeTotp>> {
    const { userId } = callingUser(by)
    const isProven = await this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const totp = await lockTotp(transaction, userId)
      if (!totp?.confirmedAt) throw noSecondFactor()
      // Not thrown here: the count of wrong codes must be committed.
      if (!(await this.secondFactor.require(transaction, userId, input))) return false
      await transaction.totp.delete({ where: { userId } })
      await this.secondFactor.deleteUnusedCodes(transaction, userId)
      recordAudit(transaction, by, { action: 'second_factor.removed', target: ['user', userId] })
      recordCredentialChange(transaction, `user:${userId}`)
      return true
    })
    if (!isProven) throw secondFactorInvalid()
    return {}
  }
}
