import { OperationError } from '@bearing/contracts/errors'
import { resetSecondFactor } from '@bearing/contracts/identity/people/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockUser } from '../../ground/locks.js'
import { endSessionsOfUser } from '../sessions/end-sessions.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { noSecondFactor } from './second-factor-errors.js'

@Controller()
export class ResetSecondFactor {
  constructor(
    private readonly database: Database,
    private readonly secondFactor: ProveSecondFactor,
  ) {}

  /** Ends all sessions: a lost second factor may have been lost together with a browser. */
  @Handle(resetSecondFactor)
  async execute(
    { email }: Input<typeof resetSecondFactor>,
    by: Principal,
  ): Promise<Output<typeof resetSecondFactor>> {
    const user = await this.database.user.findUnique({ where: { email }, select: { id: true } })
    if (!user) throw new OperationError('user_not_found', 'There is no user with this e-mail address.')
    const userId = user.id
    await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      if (!(await this.secondFactor.exists(transaction, userId))) throw noSecondFactor()
      await transaction.totp.deleteMany({ where: { userId } })
      await transaction.passkey.deleteMany({ where: { userId } })
      await transaction.recoveryCode.deleteMany({ where: { userId } })
      await endSessionsOfUser(transaction, by, userId)
      recordAudit(transaction, by, { action: 'second_factor.reset', target: ['user', userId] })
      recordCredentialChange(transaction, `user:${userId}`)
    })
    return { user_id: userId, email }
  }
}
