import { replayDeadLetters } from '@bearing/contracts/management/dead-letter'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { replayPutAside } from '@bearing/nats/put-aside'
import { isUnstorable } from '@bearing/service/unavailable'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { UnreadableMessage } from '../chunks/decode-message.js'
import { StoreMessages } from '../chunks/store-messages.js'
import { Database } from '../../ground/database.js'
import { DeadLetterStream, deadLetterAddress, revive } from './dead-letter-stream.js'

@Controller()
export class ReplayDeadLetters {
  constructor(
    private readonly letters: DeadLetterStream,
    private readonly store: StoreMessages,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Stored first and forgotten then: a crash in between leaves a dead letter, which may be replayed again. */
  @Handle(replayDeadLetters)
  async execute(
    { numbers }: Input<typeof replayDeadLetters>,
    by: Principal,
  ): Promise<Output<typeof replayDeadLetters>> {
    return replayPutAside(numbers, (number) => this.replay(number, by))
  }

  /** @returns why not */
  private async replay(number: number, by: Principal): Promise<string | undefined> {
    const letter = await this.letters.from(number)
    if (letter?.number !== number) return 'there is no such dead letter'
    try {
      const [leftOut] = await this.store.execute([revive(letter)])
      if (leftOut) return leftOut.why.message
    } catch (error) {
      if (error instanceof UnreadableMessage) return error.message
      if (isUnstorable(error)) return 'the database refuses it'
      throw error
    }
    await this.database.transaction((transaction) =>
      this.audit.record(transaction, by, {
        action: 'dead_letter.replayed',
        target: ['dead_letter', String(number)],
        organizationId: deadLetterAddress(letter)?.organizationId ?? null,
        details: { device_serial: deadLetterAddress(letter)?.serial ?? '' },
      }),
    )
    await this.letters.delete(number)
    return undefined
  }
}
