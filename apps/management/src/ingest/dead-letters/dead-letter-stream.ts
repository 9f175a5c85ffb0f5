import { chunkAddress, type ChunkAddress } from '@bearing/contracts/management/chunk-message'
import { sendChunks } from '@bearing/contracts/management/chunk'
import { DEAD_LETTER_HEADERS, DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { DEAD_LETTER_STREAM } from '@bearing/contracts/streams'
import { Connection } from '@bearing/nats/connection'
import { TendedStream, type LyingMessage } from '@bearing/nats/tended-stream'
import { Injectable } from '@nestjs/common'
import { UnreadableMessage, decodeMessage, type DeviceMessage } from '../chunks/decode-message.js'

/** Messages of devices that could not be stored. */
@Injectable()
export class DeadLetterStream {
  private readonly stream: TendedStream

  constructor(connection: Connection) {
    this.stream = new TendedStream(connection, DEAD_LETTER_STREAM)
  }

  /** The first one from a number on; null where there is none. */
  from(number: number): Promise<LyingMessage | null> {
    return this.stream.from(number)
  }

  /** The first one of a project from a number on; null where there is none. */
  ofProject(projectId: string, number: number): Promise<LyingMessage | null> {
    return this.stream.from(number, [DEAD_LETTER_SUBJECT, '*', projectId, '*'].join('.'))
  }

  /** Numbers of those of a device. */
  async ofDevice({ organizationId, projectId, serial }: ChunkAddress): Promise<number[]> {
    const subject = [DEAD_LETTER_SUBJECT, organizationId, projectId, serial].join('.')
    const numbers: number[] = []
    for (let next = 1; ;) {
      const found = await this.stream.from(next, subject)
      if (!found) return numbers
      numbers.push(found.number)
      next = found.number + 1
    }
  }

  /** Forgets one, and overwrites where it lay. */
  delete(number: number): Promise<void> {
    return this.stream.delete(number)
  }
}

/** Whose letter it is; undefined where that cannot be told. */
export function deadLetterAddress({ subject }: LyingMessage): ChunkAddress | undefined {
  return chunkAddress(originalSubject(subject))
}

/** When it was received; undefined where that cannot be told. */
export function deadLetterReceivedAt({ header }: LyingMessage): Date | undefined {
  const time = Number(header(DEAD_LETTER_HEADERS.receivedAt))
  return Number.isSafeInteger(time) && time > 0 ? new Date(time) : undefined
}

/**
 * A dead letter as the message that it was, at its place among the others.
 *
 * @throws UnreadableMessage
 */
export function revive(letter: LyingMessage): DeviceMessage {
  const number = (name: string) => Number(letter.header(name) ?? Number.NaN)
  const started = number(DEAD_LETTER_HEADERS.streamStarted)
  const sequence = number(DEAD_LETTER_HEADERS.sequence)
  const receivedAt = deadLetterReceivedAt(letter)
  if (!Number.isSafeInteger(started) || !Number.isSafeInteger(sequence) || !receivedAt)
    throw new UnreadableMessage('its headers do not say when it was received')
  const message = { ...letter, subject: originalSubject(letter.subject) }
  return decodeMessage(message, { streamStartedAt: new Date(started), sequence, receivedAt })
}

function originalSubject(subject: string): string {
  return subject.replace(DEAD_LETTER_SUBJECT, sendChunks.subject)
}
