import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkStream } from '@bearing/contracts/nats/streams'
import { jetstream, jetstreamManager, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'
import { isStoredByPublisher } from '../permissions/genuine.js'
import { readBundle } from './bundle.js'
import { startOf } from './stream-start.js'

/** A message of a stream, or of a bundle in it ({@link readBundle}). */
export interface QueuedMessage {
  readonly subject: string
  /** Value of a header; undefined where it has none of that name, or no headers that can be read. */
  readonly header: (name: string) => string | undefined
  /** Id that a message which comes twice is known by. */
  readonly id: string
  readonly body: Uint8Array
  /** Time at which the stream was created in which {@link sequence} counts. */
  readonly streamStartedAt: Date
  /** Place in the stream, from 1. */
  readonly sequence: number
  /** Time at which it was stored. */
  readonly receivedAt: Date
  /** Number of times that it was handed out, this time included. */
  readonly deliveries: number
}

/** Has a message handed out again, to anybody, after so many milliseconds. */
export type Postpone = (message: QueuedMessage, afterMs: number) => void

/** Has messages of a batch done before the rest is: they never come again. */
export type Done = (messages: readonly QueuedMessage[]) => void

/**
 * Handles messages; where it resolves they are done, but for those that it has postponed, and where it rejects those alone that
 * it has said are done: the others are tried again.
 */
export type HandleBatch = (batch: readonly QueuedMessage[], postpone: Postpone, done: Done) => Promise<void>

/** Messages that are handled together, and bytes of those that wait. */
const BATCH = 256
/**
 * From the start of one batch to that of the next, in milliseconds, unless a whole batch waits. A single message is
 * handled immediately; a stream of messages in batches, and not in hundreds of small ones a second, which took most of
 */
const GATHER_MS = 50
const WAITING_BYTES = 8 * 1024 * 1024
/** Bytes that the server sends ahead: more than one message has. */
const AHEAD_BYTES = 16 * 1024 * 1024
const RETRY_MS = 1_000

/**
 * Processes a queue: handles together the messages that came while the ones before were handled. A message is
 * acknowledged after it was handled, so one that a process has died over is delivered again, to any worker of the queue.
 */
export class WorkQueue {
  private readonly stopped = new AbortController()
  private running: Promise<void> | undefined
  private messages: ConsumerMessages | undefined
  private waiting: Delivery[] = []
  private waitingMessages = 0
  private waitingBytes = 0
  private working: Promise<void> | undefined
  private begunAtMs = -Infinity

  /**
   * @param worker the name of its consumer: the service's
   * @param failed called after every attempt that failed; it is repeated
   */
  constructor(
    private readonly connection: Connection,
    private readonly stream: WorkStream,
    private readonly worker: string,
    private readonly handle: HandleBatch,
    private readonly failed: (error: unknown) => void,
  ) {
    // After a reconnect there may be another stream of the same name.
    connection.reconnected(() => this.messages?.stop())
  }

  /** Begins. */
  start(): void {
    this.running ??= this.run()
  }

  /** Ends after the messages that are being handled. Those that wait come again elsewhere. */
  async stop(): Promise<void> {
    this.stopped.abort()
    this.messages?.stop()
    await this.running
  }

  private async run(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      try {
        await this.work()
      } catch (error) {
        if (this.connection.isUp) this.failed(error)
      }
      this.waiting = []
      this.waitingMessages = 0
      this.waitingBytes = 0
      await this.pause()
    }
  }

  /** As long as stream and consumer are there. */
  private async work(): Promise<void> {
    const { raw } = this.connection
    const manager = await jetstreamManager(raw, { timeout: 2_000, checkAPI: false })
    const startedAt = startOf(await manager.streams.info(this.stream.name))
    const consumer = await jetstream(raw).consumers.get(this.stream.name, this.worker)
    const messages = await consumer.consume({ max_bytes: AHEAD_BYTES, abort_on_missing_resource: true })
    this.messages = messages
    if (this.stopped.signal.aborted) messages.stop()
    const take = this.taking(startedAt)
    try {
      for await (const message of messages) {
        take(message)
        if (this.waitingBytes > WAITING_BYTES) await this.working
      }
    } finally {
      await this.working
      // The last acknowledgements leave before the connection may end.
      if (this.connection.isUp) await raw.flush()
    }
  }

  private taking(startedAt: Date): (message: JsMsg) => void {
    return (message) => {
      const delivery = new Delivery(message, startedAt)
      this.waiting.push(delivery)
      this.waitingMessages += delivery.messages.length
      this.waitingBytes += message.data.length
      this.working ??= this.handleWaiting().finally(() => {
        this.working = undefined
      })
    }
  }

  private async handleWaiting(): Promise<void> {
    // Messages of the same packet are handled together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.waiting.length > 0 && !this.stopped.signal.aborted) {
      await this.gather()
      await this.handleUntilDone(this.nextBatch())
    }
  }

  private nextBatch(): readonly Delivery[] {
    let [deliveries, messages, bytes] = [0, 0, 0]
    for (const delivery of this.waiting) {
      if (messages >= BATCH) break
      deliveries++
      messages += delivery.messages.length
      bytes += delivery.raw.data.length
    }
    this.waitingMessages -= messages
    this.waitingBytes -= bytes
    return this.waiting.splice(0, deliveries)
  }

  private async gather(): Promise<void> {
    const leftMs = this.begunAtMs + GATHER_MS - performance.now()
    if (leftMs > 0 && this.waitingMessages < BATCH) await this.pause(leftMs)
    this.begunAtMs = performance.now()
  }

  private async handleUntilDone(batch: readonly Delivery[]): Promise<void> {
    const left = this.discardForged(batch)
    if (left.size === 0) return
    const done: Done = (messages) => {
      for (const message of messages) {
        left.get(message)?.done()
        left.delete(message)
      }
    }
    while (!this.stopped.signal.aborted) {
      const later = new Map<QueuedMessage, number>()
      try {
        await this.handle([...left.keys()], (message, afterMs) => later.set(message, afterMs), done)
        for (const [one, delivery] of left) {
          const afterMs = later.get(one)
          if (afterMs === undefined) delivery.done()
          else delivery.raw.nak(afterMs)
        }
        return
      } catch (error) {
        this.failed(error)
        await this.pause()
        // Nobody else needs to try meanwhile, neither these nor those that wait behind them.
        for (const { raw } of new Set([...left.values(), ...this.waiting])) raw.working()
      }
    }
  }

  /** Removes messages from the queue that its publisher has not stored. A user could forge messages of others with them. */
  private discardForged(batch: readonly Delivery[]): Map<QueuedMessage, Delivery> {
    const { name, subject } = this.stream
    const left = new Map<QueuedMessage, Delivery>()
    for (const delivery of batch) {
      const { whole, messages, raw } = delivery
      if (isStoredByPublisher(whole, subject)) {
        for (const message of messages) left.set(message, delivery)
        continue
      }
      this.failed(new Error(`discarded a message of ${name} that JetStream copied from "${whole.subject}"`))
      raw.term()
    }
    return left
  }

  private async pause(forMs = RETRY_MS): Promise<void> {
    await sleep(forMs, undefined, { signal: this.stopped.signal }).catch(() => undefined)
  }
}

/** A message of the stream that was delivered: it is acknowledged when all messages in it are done. */
class Delivery {
  readonly whole: QueuedMessage
  /** Itself, or those of the bundle that it is. */
  readonly messages: readonly QueuedMessage[]
  private left: number

  constructor(
    readonly raw: JsMsg,
    streamStartedAt: Date,
  ) {
    const whole = toQueued(raw, streamStartedAt)
    this.whole = whole
    this.messages = readBundle(raw.subject, raw.data)?.map((one) => ({ ...whole, ...one })) ?? [whole]
    this.left = this.messages.length
  }

  /** Notes that one of its messages is done. */
  done(): void {
    if (--this.left === 0) this.raw.ack()
  }
}

function toQueued(message: JsMsg, streamStartedAt: Date): QueuedMessage {
  const header = (name: string) => headerOf(() => message.headers?.get(name))
  return {
    subject: message.subject,
    header,
    id: header('Nats-Msg-Id') ?? '',
    body: message.data,
    streamStartedAt,
    sequence: message.seq,
    receivedAt: message.time,
    deliveries: message.info.deliveryCount,
  }
}

/** Headers are parsed when they are first looked at; what is none of them throws. */
export function headerOf(read: () => string | undefined): string | undefined {
  try {
    return read() || undefined
  } catch {
    return undefined
  }
}
