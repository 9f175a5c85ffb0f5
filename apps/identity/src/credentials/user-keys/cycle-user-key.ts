import { formatToken } from '@bearing/access/token-format'
import { invalidInput } from '@bearing/contracts/errors'
import { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Clock } from '@bearing/service/ground/clock'
import { ProveOwnPassword } from '../../people/passwords/prove-own-password.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Randomness } from '@bearing/service/ground/randomness'
import { MailQueue } from '../../people/mails/mail-queue.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { secondFactorInvalid } from '../../people/second-factor/second-factor-errors.js'
import { callingUser, lockCaller } from '../../people/users/calling-user.js'
import { ProveBeforeCycling } from './prove-before-cycling.js'
import { deleteCurrentKey } from './delete-current-key.js'
import { SHOWN, toUserKey } from './user-key-row.js'

@Controller()
export class CycleUserKey {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
    private readonly password: ProveOwnPassword,
    private readonly secondFactor: ProveBeforeCycling,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(cycleUserKey)
  async execute(input: Input<typeof cycleUserKey>, by: Principal): Promise<Output<typeof cycleUserKey>> {
    const expiresAt = endOf(input.expires_at, this.clock.now())
    if (input.password !== undefined) await this.password.prove(by, input.password)
    const key = await this.database.transaction((transaction) =>
      this.calls.once(transaction, cycleUserKey, input, by, () =>
        this.cycle(transaction, input, by, expiresAt),
      ),
    )
    if (!key) throw secondFactorInvalid()
    return key
  }

  /** Returns undefined if the code was wrong. It is not thrown, because the count of wrong codes must be committed. */
  private async cycle(
    transaction: Transaction,
    input: Input<typeof cycleUserKey>,
    by: Principal,
    expiresAt: Date | null,
  ): Promise<Output<typeof cycleUserKey> | undefined> {
    const { userId } = callingUser(by)
    const createdAt = this.clock.now()
    const token = {
      kind: 'user_key',
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    await lockCaller(transaction, userId)
    const proof = await this.secondFactor.prove(transaction, by, input)
    if (proof === 'wrong') return undefined
    const before = await deleteCurrentKey(transaction, userId)
    const secondFactor = proof === 'proven'
    const row = await transaction.userKey.create({
      data: { id: token.id, userId, ...this.peppers.hash(token), createdAt, expiresAt, secondFactor },
      select: SHOWN,
    })
    recordAudit(transaction, by, {
      action: 'user_key.cycled',
      target: ['user_key', token.id],
      details: {
        replaced: before?.id ?? null,
        expires_at: expiresAt?.toISOString() ?? null,
        second_factor: secondFactor,
      },
    })
    await this.mails.add(transaction, 'user_key_created', userId)
    if (before) recordCredentialChange(transaction, `credential:${before.id}`)
    return { ...toUserKey(row, secondFactor), api_key: formatToken(token) }
  }
}

function endOf(expiresAt: string | undefined, now: Date): Date | null {
  if (expiresAt === undefined) return null
  const end = new Date(expiresAt)
  if (end > now) return end
  throw invalidInput('/expires_at', 'must be in the future')
}
