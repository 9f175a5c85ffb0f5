import { OperationError } from '@bearing/contracts/errors'
import { deleteUserKey } from '@bearing/contracts/identity/people/user-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { callingUser } from '../../people/users/calling-user.js'
import { deleteCurrentKey } from './delete-current-key.js'
import { toUserKey } from './user-key-row.js'

@Controller()
export class DeleteUserKey {
  constructor(private readonly database: Database) {}

  @Handle(deleteUserKey)
  async execute(_: Input<typeof deleteUserKey>, by: Principal): Promise<Output<typeof deleteUserKey>> {
    const { userId } = callingUser(by)
    const key = await this.database.transaction(async (transaction) => {
      const key = await deleteCurrentKey(transaction, userId)
      if (!key) throw new OperationError('user_key_not_found', 'You have no API key.')
      recordAudit(transaction, by, { action: 'user_key.deleted', target: ['user_key', key.id] })
      recordCredentialChange(transaction, `credential:${key.id}`)
      return key
    })
    return toUserKey(key, key.secondFactor)
  }
}
