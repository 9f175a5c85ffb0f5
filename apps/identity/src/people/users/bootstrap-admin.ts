import { OperationError } from '@bearing/contracts/errors'
import { bootstrapAdmin } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockAllUsers } from '../../ground/locks.js'
import { NewPasswords } from '../passwords/new-passwords.js'
import { Passwords } from '../passwords/passwords.js'

@Controller()
export class BootstrapAdmin {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly rules: NewPasswords,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(bootstrapAdmin)
  async execute(
    { email, password }: Input<typeof bootstrapAdmin>,
    by: Principal,
  ): Promise<Output<typeof bootstrapAdmin>> {
    await this.rules.refuseBad(password, email)
    await refuseIfUsersExist(this.database)
    const passwordHash = await this.passwords.hash(password)
    const id = this.randomness.newId()
    await this.database.transaction(async (transaction) => {
      await lockAllUsers(transaction)
      await refuseIfUsersExist(transaction)
      await transaction.user.create({ data: { id, email, passwordHash, createdAt: this.clock.now() } })
      recordAudit(transaction, by, { action: 'user.bootstrapped', target: ['user', id] })
    })
    return { user_id: id, email }
  }
}

async function refuseIfUsersExist(transaction: Transaction): Promise<void> {
  if (await transaction.user.findFirst({ select: { id: true } }))
    throw new OperationError(
      'already_bootstrapped',
      'Users exist already: this operation creates only the first one.',
    )
}
