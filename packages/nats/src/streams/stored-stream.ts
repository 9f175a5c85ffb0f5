import type { WorkStream } from '@bearing/contracts/nats/streams'
import { jetstreamManager, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'
import { isStoredByPublisher } from '../permissions/genuine.js'
import { startOf } from './stream-start.js'
import { headerOf } from './work-queue.js'

/** A message that lies in a stream. */
export interface StoredMessage {
  /** Its number in the stream, from 1. */
  readonly number: number
  readonly subject: string
  readonly header: (name: string) => string | undefined
  readonly id: string
  readonly body: Uint8Array
}

const TIMEOUT_MS = 5_000

/** Looks through a stream, and deletes from it. */
export class StoredStream {
  private manager: Promise<JetStreamManager> | undefined

  constructor(
    private readonly connection: Connection,
    private readonly stream: WorkStream,
  ) {}

  /**
   * Returns the time at which the stream was created, and its last number: all that was stored before this call.
   *
   * @throws where NATS or the stream is not there
   */
  async end(): Promise<{ readonly startedAt: Date; readonly number: number }> {
    const info = await (await this.open()).streams.info(this.stream.name)
    return { startedAt: startOf(info), number: info.state.last_seq }
  }

  /**
   * The subjects that there are messages of.
   *
   * @throws where NATS or the stream is not there
   */
  async subjects(): Promise<string[]> {
    const { state } = await (await this.open()).streams.info(this.stream.name, { subjects_filter: '>' })
    return Object.keys(state.subjects ?? {})
  }

  /**
   * Returns how many messages there are.
   *
   * @param subject of the messages; a pattern of NATS
   * @throws if NATS or the stream is unavailable
   */
  async count(subject: string): Promise<number> {
    const { state } = await (await this.open()).streams.info(this.stream.name, { subjects_filter: subject })
    return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
  }

  /**
   * Returns the first message from a number on; null if there is none. Skips messages that the publisher of the stream has not
   * stored.
   *
   * @param subject of the message; a pattern of NATS
   * @throws where NATS or the stream is not there
   */
  async from(number: number, subject = `${this.stream.subject}.>`): Promise<StoredMessage | null> {
    const manager = await this.open()
    for (let next = number; ; next++) {
      const query = { seq: next, next_by_subj: subject }
      const message = await manager.streams.getMessage(this.stream.name, query)
      if (!message) return null
      const lying = toLying(message)
      if (isStoredByPublisher(lying, this.stream.subject)) return lying
      next = lying.number
    }
  }

  /**
   * Deletes a message, and overwrites where it lay.
   *
   * @throws where NATS or the stream is not there
   */
  async delete(number: number): Promise<void> {
    await (await this.open()).streams.deleteMessage(this.stream.name, number)
  }

  /**
   * Deletes the messages of a subject.
   *
   * @param subject a pattern of NATS
   * @param until number of the last message that is deleted (default: all)
   * @throws where NATS or the stream is not there
   */
  async purge(subject: string, until?: number): Promise<void> {
    const filter = { filter: subject, ...(until !== undefined && { seq: until + 1 }) }
    await (await this.open()).streams.purge(this.stream.name, filter)
  }

  private open(): Promise<JetStreamManager> {
    this.manager ??= jetstreamManager(this.connection.raw, { timeout: TIMEOUT_MS, checkAPI: false })
    return this.manager
  }
}

function toLying({ seq, subject, header: headers, data }: StoredMsg): StoredMessage {
  const header = (name: string) => headerOf(() => headers.get(name))
  return { number: seq, subject, header, id: header('Nats-Msg-Id') ?? '', body: data }
}
