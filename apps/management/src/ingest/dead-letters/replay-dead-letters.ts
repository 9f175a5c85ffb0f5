import { replayDeadLetters } from '@bearing/contracts/management/data/dead-letter'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { isUnstorable } from '@bearing/service/ground/unavailable'
import { Controller } from '@nestjs/common'
import { UnreadableMessage } from '../chunks/decode-message.js'
import { StoreMessages } from '../chunks/store-messages.js'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { deadLetterDevice, decodeDeadLetter } from './dead-letter.js'

@Controller()
export class ReplayDeadLetters {
  constructor(
    private readonly letters: DeadLetters,
    private readonly store: StoreMessages,
    private readonly database: Database,
  ) {}

  @Handle(replayDeadLetters)
  async execute(
    { numbers }: Input<typeof replayDeadLetters>,
    by: Principal,
  ): Promise<Output<typeof replayDeadLetters>> {
    return this.letters.replay(numbers, (letter) => this.storeAgain(letter, by))
  }

  /** @returns the reason if the message cannot be stored */
  private async storeAgain(letter: StoredMessage, by: Principal): Promise<string | undefined> {
    try {
      const [leftOut] = await this.store.execute([decodeDeadLetter(letter)])
      if (leftOut) return leftOut.reason.message
    } catch (error) {
      if (error instanceof UnreadableMessage) return error.message
      if (isUnstorable(error)) return 'the database rejects it'
      throw error
    }
    const device = deadLetterDevice(letter)
    await this.database.transaction((transaction) =>
      Promise.resolve(
        recordAudit(transaction, by, {
          action: 'dead_letter.replayed',
          target: ['dead_letter', String(letter.number)],
          organizationId: device?.organizationId ?? null,
          details: { device_serial: device?.serial ?? '' },
        }),
      ),
    )
    return undefined
  }
}
