import { OperationError } from '@bearing/contracts/errors'
import { deleteUserKey } from '@bearing/contracts/identity/user-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { callingUser } from '../../people/users/calling-user.js'
import { takeUserKey } from './delete-current-key.js'
import { toUserKey } from './user-key-row.js'

@Controller()
export class DeleteUserKey {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
  ) {}

  @Handle(deleteUserKey)
  async execute(_: Input<typeof deleteUserKey>, by: Principal): Promise<Output<typeof deleteUserKey>> {
    const { userId } = callingUser(by)
    const { key, event } = await this.database.transaction(async (transaction) => {
      const key = await takeUserKey(transaction, userId)
      if (!key) throw new OperationError('user_key_not_found', 'You have no API key.')
      await this.audit.record(transaction, by, { action: 'user_key.deleted', target: ['user_key', key.id] })
      return { key, event: await this.changes.record(transaction, `credential:${key.id}`) }
    })
    await this.changes.publish(event)
    return toUserKey(key, key.secondFactor)
  }
}
