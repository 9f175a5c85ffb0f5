import { chunkAddress, withPrefix, type ChunkAddress } from '@bearing/contracts/management/chunk-message'
import { sendChunks } from '@bearing/contracts/management/chunk'
import { DEAD_LETTER_HEADERS, DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { DEAD_LETTER_STREAM } from '@bearing/contracts/streams'
import { readBundle } from '@bearing/nats/bundle'
import { Connection } from '@bearing/nats/connection'
import { DeadLetterQueue } from '@bearing/nats/dead-letter-queue'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { Injectable } from '@nestjs/common'
import { UnreadableMessage, decodeMessage, type DeviceMessage } from '../chunks/decode-message.js'

/** The stream of dead letters: messages of devices that could not be stored. */
@Injectable()
export class DeadLetterStream extends DeadLetterQueue {
  constructor(connection: Connection) {
    super(connection, DEAD_LETTER_STREAM)
  }

  /** Returns the first one of a project from a number on; null if there is none. */
  ofProject(projectId: string, number: number): Promise<StoredMessage | null> {
    return this.from(number, [DEAD_LETTER_SUBJECT, '*', projectId, '*'].join('.'))
  }

  /**
   * Deletes some dead letters of an organization or project.
   *
   * @param most how many
   * @returns how many it deleted, and how many are left
   */
  async deleteSome(
    { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string | null },
    most: number,
  ): Promise<{ readonly erased: number; readonly remaining: number }> {
    const subject = [DEAD_LETTER_SUBJECT, organizationId, projectId ?? '*', '*'].join('.')
    let erased = 0
    for (let next = 1; erased < most; erased++) {
      const found = await this.from(next, subject)
      if (!found) break
      await this.delete(found.number)
      next = found.number + 1
    }
    return { erased, remaining: await this.count(subject) }
  }

  /** Returns the numbers of a device's dead letters. */
  async ofDevice({ organizationId, projectId, serial }: ChunkAddress): Promise<number[]> {
    const subject = [DEAD_LETTER_SUBJECT, organizationId, projectId, serial].join('.')
    const numbers: number[] = []
    for (let next = 1; ;) {
      const found = await this.from(next, subject)
      if (!found) return numbers
      numbers.push(found.number)
      next = found.number + 1
    }
  }
}

/** Returns the device of a dead letter; undefined if its subject is malformed. */
export function deadLetterDevice({ subject }: StoredMessage): ChunkAddress | undefined {
  return chunkAddress(originalSubject(subject))
}

/** Returns when the message was received; undefined if its header is malformed. */
export function deadLetterReceivedAt({ header }: StoredMessage): Date | undefined {
  const time = Number(header(DEAD_LETTER_HEADERS.receivedAt))
  return Number.isSafeInteger(time) && time > 0 ? new Date(time) : undefined
}

/** Returns the original position of the message in the stream of queued data; undefined if its headers are malformed. */
export function deadLetterOrigin({
  header,
}: StoredMessage): { readonly streamStartedAt: Date; readonly sequence: number } | undefined {
  const started = Number(header(DEAD_LETTER_HEADERS.streamStarted) ?? Number.NaN)
  const sequence = Number(header(DEAD_LETTER_HEADERS.sequence) ?? Number.NaN)
  if (!Number.isSafeInteger(started) || !Number.isSafeInteger(sequence)) return undefined
  return { streamStartedAt: new Date(started), sequence }
}

/**
 * Decodes the message of a dead letter, with its original id, position and time. A version that did not know bundles may have made one
 * a dead letter: then it is all of its messages.
 *
 * @throws UnreadableMessage
 */
export function decodeDeadLetter(letter: StoredMessage): DeviceMessage[] {
  const origin = deadLetterOrigin(letter)
  const receivedAt = deadLetterReceivedAt(letter)
  if (!origin || !receivedAt) throw new UnreadableMessage('its headers do not contain when it was received')
  const message = { ...letter, subject: originalSubject(letter.subject) }
  return (readBundle(message.subject, message.body) ?? [message]).map((one) =>
    decodeMessage(one, { ...origin, receivedAt }),
  )
}

function originalSubject(subject: string): string {
  return withPrefix(subject, sendChunks.subject)
}
