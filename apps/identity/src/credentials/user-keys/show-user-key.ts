import { OperationError } from '@bearing/contracts/errors'
import { showUserKey } from '@bearing/contracts/identity/people/user-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../../people/users/calling-user.js'
import { SHOWN, countsAsSecondFactor, toUserKey } from './user-key-row.js'

@Controller()
export class ShowUserKey {
  constructor(private readonly database: Database) {}

  @Handle(showUserKey)
  async execute(_: Input<typeof showUserKey>, by: Principal): Promise<Output<typeof showUserKey>> {
    const row = await this.database.userKey.findUnique({
      where: { userId: callingUser(by).userId },
      select: { ...SHOWN, user: { select: { totp: { select: { confirmedAt: true } } } } },
    })
    if (!row) throw new OperationError('user_key_not_found', 'You have no API key.')
    return { ...toUserKey(row, countsAsSecondFactor(row, row.user.totp?.confirmedAt)), api_key: null }
  }
}
