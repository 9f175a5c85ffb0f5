import { MAX_PASSKEYS, addPasskey } from '@bearing/contracts/identity/people/passkey'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockTotp } from '../../ground/locks.js'
import { MailQueue } from '../mails/mail-queue.js'
import { callingUser, lockCaller } from '../users/calling-user.js'
import { SHOWN, toPasskey } from './list-passkeys.js'
import { Passkeys } from './passkeys.js'
import { refuseApiKey } from './refuse-api-key.js'
import { RecoveryCodes } from './recovery-codes.js'
import { secondFactorExists, secondFactorInvalid } from './second-factor-errors.js'
import { startSecondFactor } from './start-second-factor.js'

@Controller()
export class AddPasskey {
  constructor(
    private readonly database: Database,
    private readonly passkeys: Passkeys,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(addPasskey)
  async execute(input: Input<typeof addPasskey>, by: Principal): Promise<Output<typeof addPasskey>> {
    refuseApiKey(by)
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, addPasskey, input, by, () => this.add(transaction, input, by)),
    )
  }

  private async add(
    transaction: Transaction,
    input: Input<typeof addPasskey>,
    by: Principal,
  ): Promise<Output<typeof addPasskey>> {
    const created = await this.passkeys.verifyNew(input)
    if (!created) throw secondFactorInvalid()
    const { userId } = callingUser(by)
    await lockCaller(transaction, userId)
    const totp = await lockTotp(transaction, userId)
    const count = await transaction.passkey.count({ where: { userId } })
    if (count >= MAX_PASSKEYS)
      throw secondFactorExists(`There are ${String(MAX_PASSKEYS)} passkeys already. Remove one first.`)
    const data = {
      id: this.randomness.newId(),
      userId,
      createdAt: this.clock.now(),
      ...created,
      name: input.name,
    }
    const [row] = await transaction.passkey.createManyAndReturn({ data, select: SHOWN, skipDuplicates: true })
    if (!row) throw secondFactorExists('This passkey was added already.')
    const isFirst = count === 0 && !totp?.confirmedAt
    if (isFirst) await startSecondFactor(transaction, by, 'passkey')
    recordAudit(transaction, by, { action: 'passkey.added', target: ['passkey', row.id] })
    recordCredentialChange(transaction, `user:${userId}`)
    await this.mails.add(transaction, 'passkey_added', userId)
    const recovery_codes = isFirst ? await this.recoveryCodes.renew(transaction, userId) : []
    return { ...toPasskey(row), recovery_codes }
  }
}
