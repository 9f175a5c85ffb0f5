import { DEAD_LETTER_HEADERS, DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { CHUNK_HEADERS, chunkAddress } from '@bearing/contracts/management/chunk-message'
import { sendChunks } from '@bearing/contracts/management/chunk'
import type { MessageStore } from '@bearing/nats/message-store'
import type { QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { isUnstorable } from '@bearing/service/unavailable'
import type { Database } from '../database.js'
import { lockDeletions } from '../devices/deletion-lock.js'
import { TooManyDevices, UnknownDevice, UnreadableMessage } from './decode-message.js'
import { withoutDeleted } from './without-deleted.js'

/** Makes a message that can never be stored a dead letter. */
export class BuryMessage {
  constructor(
    private readonly database: Database,
    private readonly deadLetters: MessageStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Buries a message, unless its device was deleted since: then it goes, as all of that device has gone.
   *
   * @param why it cannot be stored
   * @throws where Postgres or NATS is not there
   */
  async execute(message: QueuedMessage, why: unknown): Promise<void> {
    const { subject, sequence, streamStartedAt } = message
    const address = chunkAddress(subject)
    if (!address) {
      await this.bury(message, why)
      return
    }
    await this.database.$transaction(async (transaction) => {
      await lockDeletions(transaction, 'shared', [address.projectId])
      const kept = await withoutDeleted(transaction, [{ ...address, streamStartedAt, sequence }])
      if (kept.length > 0) await this.bury(message, why)
    })
  }

  private async bury(message: QueuedMessage, why: unknown): Promise<void> {
    const reason = reasonOf(why)
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

function reasonOf(error: unknown): string {
  const tellsWhy = [UnreadableMessage, UnknownDevice, TooManyDevices]
  if (error instanceof Error && tellsWhy.some((kind) => error instanceof kind)) return error.message
  return isUnstorable(error) ? 'the database refuses it' : 'the database takes too long to store it'
}
