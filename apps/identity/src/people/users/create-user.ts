import { createUser } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database, isUniqueViolation } from '../../ground/database.js'
import { emailTaken } from '../emails/change-email.js'
import { NewPasswords } from '../passwords/new-passwords.js'
import { Passwords } from '../passwords/passwords.js'
import { Randomness } from '@bearing/service/ground/randomness'

@Controller()
export class CreateUser {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly rules: NewPasswords,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createUser)
  async execute(
    { email, password }: Input<typeof createUser>,
    by: Principal,
  ): Promise<Output<typeof createUser>> {
    await this.rules.refuseBad(password, email)
    if (await this.database.user.findUnique({ where: { email }, select: { id: true } })) throw emailTaken()
    const passwordHash = await this.passwords.hash(password)
    const id = this.randomness.newId()
    try {
      await this.database.transaction(async (transaction) => {
        await transaction.user.create({ data: { id, email, passwordHash, createdAt: this.clock.now() } })
        recordAudit(transaction, by, { action: 'user.created', target: ['user', id] })
      })
    } catch (error) {
      if (isUniqueViolation(error)) throw emailTaken()
      throw error
    }
    return { user_id: id, email }
  }
}
