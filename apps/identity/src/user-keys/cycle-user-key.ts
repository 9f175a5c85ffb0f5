import { formatToken } from '@bearing/access/token-format'
import { cycleUserKey } from '@bearing/contracts/identity/user-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database } from '../database.js'
import { CredentialChanges } from '../events/credential-changes.js'
import { Randomness } from '@bearing/service/randomness'
import { Peppers } from '../rules/peppers.js'
import { callingUser } from '../users/calling-user.js'
import { takeUserKey } from './take-user-key.js'

@Controller()
export class CycleUserKey {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(cycleUserKey)
  async execute(_: Input<typeof cycleUserKey>, by: Principal): Promise<Output<typeof cycleUserKey>> {
    const { userId } = callingUser(by)
    const token = {
      kind: 'user_key',
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    const createdAt = this.clock.now()
    const event = await this.database.$transaction(async (transaction) => {
      const before = await takeUserKey(transaction, userId)
      await transaction.userKey.create({
        data: { id: token.id, userId, ...this.peppers.hash(token), createdAt },
      })
      await this.audit.record(transaction, by, {
        action: 'user_key.cycled',
        target: ['user_key', token.id],
        details: { replaced: before?.id ?? null },
      })
      return before && this.changes.record(transaction, `credential:${before.id}`)
    })
    await this.changes.publish(event)
    return { id: token.id, created_at: createdAt.toISOString(), api_key: formatToken(token) }
  }
}
