import { renamePasskey } from '@bearing/contracts/identity/people/passkey'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'
import { SHOWN, toPasskey } from './list-passkeys.js'
import { refuseApiKey } from './refuse-api-key.js'
import { noSecondFactor } from './second-factor-errors.js'

@Controller()
export class RenamePasskey {
  constructor(private readonly database: Database) {}

  @Handle(renamePasskey)
  async execute(
    { passkey_id: id, name }: Input<typeof renamePasskey>,
    by: Principal,
  ): Promise<Output<typeof renamePasskey>> {
    refuseApiKey(by)
    const { userId } = callingUser(by)
    return this.database.transaction(async (transaction) => {
      const [renamed] = await transaction.passkey.updateManyAndReturn({
        where: { id, userId },
        data: { name },
        select: SHOWN,
      })
      if (!renamed) throw noSecondFactor()
      recordAudit(transaction, by, { action: 'passkey.renamed', target: ['passkey', id], details: { name } })
      return toPasskey(renamed)
    })
  }
}
