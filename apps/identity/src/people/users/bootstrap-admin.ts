import { OperationError } from '@bearing/contracts/errors'
import { bootstrapAdmin } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { NewPasswords } from '../passwords/new-passwords.js'
import { Passwords } from '../passwords/passwords.js'

@Controller()
export class BootstrapAdmin {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
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
    await refuseWhereUsersExist(this.database)
    const passwordHash = await this.passwords.hash(password)
    const id = this.randomness.newId()
    await this.database.transaction(async (transaction) => {
      // Whoever else makes a user, in this way or another, waits until this one is there.
      await transaction.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`
      await refuseWhereUsersExist(transaction)
      await transaction.user.create({ data: { id, email, passwordHash, createdAt: this.clock.now() } })
      await this.audit.record(transaction, by, { action: 'user.bootstrapped', target: ['user', id] })
    })
    return { user_id: id, email }
  }
}

async function refuseWhereUsersExist(transaction: Transaction): Promise<void> {
  if (await transaction.user.findFirst({ select: { id: true } }))
    throw new OperationError(
      'already_bootstrapped',
      'There are users already: only the first one is made in this way.',
    )
}
