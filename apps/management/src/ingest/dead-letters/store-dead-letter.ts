import { DEAD_LETTER_HEADERS, DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { CHUNK_HEADERS, chunkAddress } from '@bearing/contracts/management/chunk-message'
import { sendChunks } from '@bearing/contracts/management/chunk'
import { DEAD_LETTER_STREAM } from '@bearing/contracts/streams'
import { OperationError } from '@bearing/contracts/errors'
import type { Connection } from '@bearing/nats/connection'
import { MessageStore, type StoredMessage } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import type { QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { isUnstorable } from '@bearing/service/unavailable'
import type { Database } from '../../ground/database.js'
import { lockDeletions } from '../../ground/locks.js'
import { TooManyDevices, UnknownDevice, UnreadableMessage } from '../chunks/decode-message.js'
import { withoutDeleted } from '../chunks/without-deleted.js'

/** Makes a message that can never be stored a dead letter. */
export class BuryMessage {
  private readonly deadLetters: MessageStore
  private readonly shares: QueueShares

  constructor(
    private readonly database: Database,
    connection: Connection,
    private readonly logger: Logger,
  ) {
    this.deadLetters = new MessageStore(connection)
    this.shares = new QueueShares(connection, this.deadLetters, DEAD_LETTER_STREAM)
  }

  /**
   * Buries a message, unless its device was deleted since: then it goes, as all of that device has gone.
   *
   * If an organization chose that a device is not stored, by its policy or by having too many, it can make any number of
   * such messages. They are discarded once the organization has used its share of the dead letters: if dead letters were
   * full, the queue of all organizations would wait.
   *
   * @param why it cannot be stored
   * @throws where Postgres or NATS is not there
   */
  async execute(message: QueuedMessage, why: unknown): Promise<void> {
    const { subject, sequence, streamStartedAt } = message
    const address = chunkAddress(subject)
    if (!address) {
      await this.deadLetters.store(letterOf(message, why))
      this.noteBurial(message, why)
      return
    }
    await this.database.transaction(async (transaction) => {
      await lockDeletions(transaction, 'shared', [address.projectId])
      const kept = await withoutDeleted(transaction, [{ ...address, streamStartedAt, sequence }])
      if (kept.length > 0) await this.bury(message, why, address.organizationId)
    })
  }

  private async bury(message: QueuedMessage, why: unknown, organizationId: string): Promise<void> {
    const letter = letterOf(message, why)
    try {
      if (isChosen(why)) await this.shares.add(organizationId, letter)
      else await this.deadLetters.store(letter)
    } catch (error) {
      if (!(error instanceof OperationError && error.code === 'overloaded')) throw error
      const { subject, sequence } = message
      this.logger.error(
        { err: why, subject, sequence },
        'a message of a device was discarded: its organization has used its share of the dead letters',
      )
      return
    }
    this.noteBurial(message, why)
  }

  private noteBurial({ subject, sequence }: QueuedMessage, why: unknown): void {
    this.logger.error({ err: why, subject, sequence }, 'a message of a device became a dead letter')
  }
}

/** Whether a setting or the number of devices of the organization is the reason, and not the message or the database. */
function isChosen(why: unknown): boolean {
  return why instanceof UnknownDevice || why instanceof TooManyDevices
}

function letterOf(message: QueuedMessage, why: unknown): StoredMessage {
  const { subject, sequence, streamStartedAt, receivedAt } = message
  return {
    subject: subject.replace(sendChunks.subject, DEAD_LETTER_SUBJECT),
    // Where the process dies before it has acknowledged the message, its dead letter is known again.
    id: message.id,
    body: message.body,
    headers: {
      ...Object.fromEntries(Object.values(CHUNK_HEADERS).map((name) => [name, message.header(name)])),
      [DEAD_LETTER_HEADERS.reason]: reasonOf(why)
        .replaceAll(/[\r\n]/g, ' ')
        .slice(0, 500),
      [DEAD_LETTER_HEADERS.streamStarted]: String(streamStartedAt.getTime()),
      [DEAD_LETTER_HEADERS.sequence]: String(sequence),
      [DEAD_LETTER_HEADERS.receivedAt]: String(receivedAt.getTime()),
    },
  }
}

function reasonOf(error: unknown): string {
  const tellsWhy = [UnreadableMessage, UnknownDevice, TooManyDevices]
  if (error instanceof Error && tellsWhy.some((kind) => error instanceof kind)) return error.message
  return isUnstorable(error) ? 'the database refuses it' : 'the database takes too long to store it'
}
