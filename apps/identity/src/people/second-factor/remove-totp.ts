import { removeTotp } from '@bearing/contracts/identity/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { callingUser } from '../users/calling-user.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { codeMissing, noSecondFactor, secondFactorInvalid } from './second-factor-errors.js'

@Controller()
export class RemoveTotp {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly secondFactor: ProveSecondFactor,
  ) {}

  @Handle(removeTotp)
  async execute(input: Input<typeof removeTotp>, by: Principal): Promise<Output<typeof removeTotp>> {
    const { userId } = callingUser(by)
    const change = await this.database.transaction(async (transaction) => {
      const proof = await this.secondFactor.prove(transaction, userId, input)
      if (proof === 'none') throw noSecondFactor()
      if (proof === 'missing') throw codeMissing()
      // Not thrown in here: that it was wrong is counted, and has to be committed.
      if (proof === 'wrong') return undefined
      await transaction.totp.delete({ where: { userId } })
      await this.audit.record(transaction, by, { action: 'second_factor.removed', target: ['user', userId] })
      return this.changes.record(transaction, `user:${userId}`)
    })
    if (!change) throw secondFactorInvalid()
    await this.changes.publish(change)
    return {}
  }
}
