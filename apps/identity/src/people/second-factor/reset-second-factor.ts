import { OperationError } from '@bearing/contracts/errors'
import { resetSecondFactor } from '@bearing/contracts/identity/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { EndSessions } from '../sessions/end-sessions.js'
import { lockUser } from '../users/lock-user.js'
import { lockTotp } from './lock-totp.js'
import { noSecondFactor } from './second-factor-errors.js'

@Controller()
export class ResetSecondFactor {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  /** All sessions end: what the second factor was lost with may have been lost too. */
  @Handle(resetSecondFactor)
  async execute(
    { email }: Input<typeof resetSecondFactor>,
    by: Principal,
  ): Promise<Output<typeof resetSecondFactor>> {
    const user = await this.database.user.findUnique({ where: { email }, select: { id: true } })
    if (!user) throw new OperationError('user_not_found', 'There is no user with this e-mail address.')
    const userId = user.id
    const change = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      const totp = await lockTotp(transaction, userId)
      if (!totp?.confirmedAt) throw noSecondFactor()
      await transaction.totp.delete({ where: { userId } })
      await this.sessions.all(transaction, by, userId, undefined)
      await this.audit.record(transaction, by, { action: 'second_factor.reset', target: ['user', userId] })
      return this.changes.record(transaction, `user:${userId}`)
    })
    await this.changes.publish(change)
    return { user_id: userId, email }
  }
}
