import { CHUNK_HEADERS, chunkSubject } from '@bearing/contracts/management/chunk-message'
import { DEAD_LETTER_HEADERS, DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { Injectable } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { lockDeletions } from '../ground/locks.js'
import { isWithin, type QueueEnd } from '../ingest/chunks/queue-end.js'
import { withoutDeleted } from '../ingest/chunks/without-deleted.js'
import { DeadLetterStream, deadLetterOrigin } from '../ingest/dead-letters/dead-letter-stream.js'

/** A move that was recorded. */
interface RecordedMove {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly toProjectId: string
  readonly serial: string
  readonly movedAt: Date
  /** The last message of the moved device in the stream of queued data. */
  readonly streamStartedAt: Date
  readonly sequence: bigint
  /** The same of other streams: `otherStreams` of {@link QueueEnd}. */
  readonly otherStreams: unknown
}

const HEADERS = [...Object.values(CHUNK_HEADERS), ...Object.values(DEAD_LETTER_HEADERS)]

/** Lets the dead letters of a moved device follow it, so that they are erased with it. */
@Injectable()
export class MoveDeadLetters {
  private readonly store: MessageStore

  constructor(
    private readonly database: Database,
    private readonly letters: DeadLetterStream,
    connection: Connection,
  ) {
    this.store = new MessageStore(connection)
  }

  /** Stores each letter in the other project, then deletes it here. After a crash in between it may be there twice: a replay stores a chunk once. */
  async execute(move: RecordedMove): Promise<void> {
    const { id, organizationId, projectId, toProjectId, serial, movedAt } = move
    for (const number of await this.letters.ofDevice({ organizationId, projectId, serial })) {
      const letter = await this.letters.from(number)
      // Later messages of the same serial number are of another device, which has its former key.
      const origin = letter?.number === number ? deadLetterOrigin(letter) : undefined
      if (!letter || !origin || !isWithin(origin, endOf(move))) continue
      const address = { organizationId, projectId: toProjectId, serial }
      await this.database.transaction(async (transaction) => {
        // Or it could be stored after the device was deleted there.
        await lockDeletions(transaction, 'shared', [toProjectId])
        const kept = await withoutDeleted(transaction, [{ ...address, ...origin, movedAt }])
        if (kept.length === 0) return
        await this.store.store({
          subject: chunkSubject(address, DEAD_LETTER_SUBJECT),
          // Not its own id: JetStream would take it for a duplicate.
          id: `${id}-${String(number)}`,
          body: letter.body,
          headers: {
            ...Object.fromEntries(HEADERS.map((name) => [name, letter.header(name)])),
            [DEAD_LETTER_HEADERS.messageId]: letter.header(DEAD_LETTER_HEADERS.messageId) ?? letter.id,
            [DEAD_LETTER_HEADERS.movedAt]: String(movedAt.getTime()),
          },
        })
      })
      await this.letters.delete(number)
    }
  }
}

function endOf({ streamStartedAt, sequence, otherStreams }: RecordedMove): QueueEnd {
  return { streamStartedAt, sequence, otherStreams: otherStreams as QueueEnd['otherStreams'] } // as queueEnd wrote it
}
