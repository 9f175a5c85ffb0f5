import { CHUNK_HEADERS, chunkAddress, withPrefix } from '@bearing/contracts/management/data/chunk-message'
import { DEAD_LETTER_HEADERS } from '@bearing/contracts/nats/dead-letters'
import { DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/data/dead-letter'
import { DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { OperationError } from '@bearing/contracts/errors'
import { Connection } from '@bearing/nats/connection'
import { MessageStore, type StoredMessage } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import type { QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { isUnstorable } from '@bearing/service/ground/unavailable'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { lockDeletions } from '../../ground/locks.js'
import { TooManyDevices, UnknownDevice, UnreadableMessage } from '../chunks/decode-message.js'
import { withoutDeleted } from '../chunks/without-deleted.js'

/** Makes a message that can never be stored a dead letter. */
@Injectable()
export class StoreDeadLetter {
  private readonly deadLetters: MessageStore
  private readonly shares: QueueShares

  constructor(
    private readonly database: Database,
    connection: Connection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.deadLetters = new MessageStore(connection)
    this.shares = new QueueShares(connection, this.deadLetters, DEAD_LETTER_STREAM)
  }

  /**
   * Stores the dead letter, unless its device was deleted since.
   *
   * An organization that rejects devices by its policy, or has too many, can cause any number of dead letters. Beyond the
   * organization's share they are discarded: a full dead-letter queue would stop the queue of all organizations.
   *
   * @param reason why the message cannot be stored
   * @throws if Postgres or NATS is unavailable
   */
  async execute(message: QueuedMessage, reason: unknown): Promise<void> {
    const { subject, sequence, streamStartedAt } = message
    const address = chunkAddress(subject)
    if (!address) {
      await this.deadLetters.store(toDeadLetter(message, reason))
      this.log(message, reason)
      return
    }
    await this.database.transaction(async (transaction) => {
      await lockDeletions(transaction, 'shared', [address.projectId])
      const origin = { ...address, streamStartedAt, sequence }
      const kept = await withoutDeleted(transaction, [origin])
      if (kept.length > 0) await this.store(message, reason, address.organizationId)
    })
  }

  private async store(message: QueuedMessage, reason: unknown, organizationId: string): Promise<void> {
    const letter = toDeadLetter(message, reason)
    try {
      if (isCausedByOrganization(reason)) await this.shares.add(organizationId, letter)
      else await this.deadLetters.store(letter)
    } catch (error) {
      if (!(error instanceof OperationError && error.code === 'overloaded')) throw error
      const { subject, sequence } = message
      this.logger.error(
        { err: reason, subject, sequence },
        'a message of a device was discarded: its organization has used its share of the dead letters',
      )
      return
    }
    this.log(message, reason)
  }

  private log({ subject, sequence }: QueuedMessage, reason: unknown): void {
    this.logger.error({ err: reason, subject, sequence }, 'a message of a device became a dead letter')
  }
}

/** Returns true if the reason is the policy or the number of devices of the organization. */
function isCausedByOrganization(reason: unknown): boolean {
  return reason instanceof UnknownDevice || reason instanceof TooManyDevices
}

function toDeadLetter(message: QueuedMessage, reason: unknown): StoredMessage {
  const { subject, sequence, streamStartedAt, receivedAt } = message
  return {
    subject: withPrefix(subject, DEAD_LETTER_SUBJECT),
    // If the process dies before the acknowledgement, JetStream detects the duplicate by this id.
    id: message.id,
    body: message.body,
    headers: {
      ...Object.fromEntries(Object.values(CHUNK_HEADERS).map((name) => [name, message.header(name)])),
      [DEAD_LETTER_HEADERS.reason]: reasonText(reason)
        .replaceAll(/[\r\n]/g, ' ')
        .slice(0, 500),
      [DEAD_LETTER_HEADERS.streamStarted]: String(streamStartedAt.getTime()),
      [DEAD_LETTER_HEADERS.sequence]: String(sequence),
      [DEAD_LETTER_HEADERS.receivedAt]: String(receivedAt.getTime()),
    },
  }
}

function reasonText(error: unknown): string {
  const kinds = [UnreadableMessage, UnknownDevice, TooManyDevices]
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) return error.message
  return isUnstorable(error) ? 'the database rejects it' : 'the database takes too long to store it'
}
