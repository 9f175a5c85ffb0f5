import { removePasskey } from '@bearing/contracts/identity/people/passkey'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { callingUser, lockCaller } from '../users/calling-user.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { refuseApiKey } from './refuse-api-key.js'
import { noSecondFactor } from './second-factor-errors.js'

@Controller()
export class RemovePasskey {
  constructor(
    private readonly database: Database,
    private readonly secondFactor: ProveSecondFactor,
  ) {}

  @Handle(removePasskey)
  async execute(
    { passkey_id: id }: Input<typeof removePasskey>,
    by: Principal,
  ): Promise<Output<typeof removePasskey>> {
    refuseApiKey(by)
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const { count } = await transaction.passkey.deleteMany({ where: { id, userId } })
      if (count === 0) throw noSecondFactor()
      await this.secondFactor.deleteUnusedCodes(transaction, userId)
      recordAudit(transaction, by, { action: 'passkey.removed', target: ['passkey', id] })
      recordCredentialChange(transaction, `user:${userId}`)
    })
    return {}
  }
}
