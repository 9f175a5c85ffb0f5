import { DEAD_LETTER_HEADERS, DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { CHUNK_HEADERS } from '@bearing/contracts/management/chunk-message'
import { sendChunks } from '@bearing/contracts/management/chunk'
import type { MessageStore } from '@bearing/nats/message-store'
import type { QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { isUnstorable } from '@bearing/service/unavailable'
import { UnreadableMessage, decodeMessage, type DeviceMessage } from './decode-message.js'
import type { StoreMessages } from './store-messages.js'

/** Stores what comes out of the queue; what can never be stored becomes a dead letter, so that it holds up nothing. */
export class ConsumeMessages {
  constructor(
    private readonly store: StoreMessages,
    private readonly deadLetters: MessageStore,
    private readonly logger: Logger,
  ) {}

  /** @throws where Postgres or NATS is not there, or not as it should be: all of them come again */
  async execute(batch: readonly QueuedMessage[]): Promise<void> {
    const readable: [QueuedMessage, DeviceMessage][] = []
    for (const message of batch) {
      const decoded = await this.decode(message)
      if (decoded) readable.push([message, decoded])
    }
    try {
      await this.store.execute(readable.map(([, decoded]) => decoded))
    } catch (error) {
      if (!isUnstorable(error)) throw error
      for (const [message, decoded] of readable) await this.storeOne(message, decoded)
    }
  }

  private async decode(message: QueuedMessage): Promise<DeviceMessage | undefined> {
    try {
      return decodeMessage(message, message)
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error
      await this.bury(message, error)
      return undefined
    }
  }

  private async storeOne(message: QueuedMessage, decoded: DeviceMessage): Promise<void> {
    try {
      await this.store.execute([decoded])
    } catch (error) {
      if (!isUnstorable(error)) throw error
      await this.bury(message, error)
    }
  }

  private async bury(message: QueuedMessage, why: unknown): Promise<void> {
    const reason = why instanceof UnreadableMessage ? why.message : 'the database refuses it'
    const { subject, sequence, streamStartedAt, receivedAt } = message
    this.logger.error({ err: why, subject, sequence }, 'a message of a device became a dead letter')
    await this.deadLetters.store({
      subject: subject.replace(sendChunks.subject, DEAD_LETTER_SUBJECT),
      // Where the process dies before it has acknowledged the message, its dead letter is known again.
      id: message.id,
      body: message.body,
      headers: {
        ...Object.fromEntries(Object.values(CHUNK_HEADERS).map((name) => [name, message.header(name)])),
        [DEAD_LETTER_HEADERS.reason]: reason.replaceAll(/[\r\n]/g, ' ').slice(0, 500),
        [DEAD_LETTER_HEADERS.streamStarted]: String(streamStartedAt.getTime()),
        [DEAD_LETTER_HEADERS.sequence]: String(sequence),
        [DEAD_LETTER_HEADERS.receivedAt]: String(receivedAt.getTime()),
      },
    })
  }
}
