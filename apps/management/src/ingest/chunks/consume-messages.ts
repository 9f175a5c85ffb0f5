import { groupsOf } from '@bearing/nats/groups-of'
import type { Done, QueuedMessage } from '@bearing/nats/work-queue'
import { isUnstorable, tookTooLong } from '@bearing/service/ground/unavailable'
import { Injectable } from '@nestjs/common'
import { StoreDeadLetter } from '../dead-letters/store-dead-letter.js'
import { UnreadableMessage, decodeMessage, type DeviceMessage } from './decode-message.js'
import { StoreMessages } from './store-messages.js'

/** Chunks stored and published by one transaction: 0.3 s, while transactions may take 4 s. */
const CHUNKS_PER_TRANSACTION = 2_000
/**
 * A message that timed out this often, and at last while others of its batch were stored, becomes a dead letter. A busy database
 * times out some statements and not others: after 5 it could make dead letters of chunks that it would have stored later.
 */
const MAX_TIMEOUTS = 20
/**
 * The same where none was stored, as in a batch of one: then it is probably the database that is slow. Each takes 4 s, so that a
 * database may be slow for minutes, and a message that is really too slow holds up its queue no longer.
 */
const MAX_TIMEOUTS_ALONE = 60

interface Readable {
  readonly message: QueuedMessage
  readonly decoded: DeviceMessage
}

/** The progress of one batch. */
interface Attempt {
  stored: number
  readonly done: Done
  /** Messages that become dead letters, with the reason. */
  readonly rejected: [QueuedMessage, unknown][]
  /** Errors of messages that timed out and stay in the queue. */
  readonly timedOut: unknown[]
}

/** Stores queued messages. A message that can never be stored becomes a dead letter, so that it delays no other. */
@Injectable()
export class ConsumeMessages {
  /** Time-outs of single messages, by message id. */
  private readonly timeouts = new Map<string, number>()
  /** Chunks that were stored since the process started; chunks that came again count again. */
  readonly totals = { count: 0, bytes: 0 }

  constructor(
    private readonly store: StoreMessages,
    private readonly deadLetter: StoreDeadLetter,
  ) {}

  /**
   * @param done acknowledges stored messages before dead letters are written: that frees space in a full NATS
   * @throws if Postgres or NATS is unavailable; messages that are not done are delivered again
   */
  async execute(batch: readonly QueuedMessage[], done: Done = () => undefined): Promise<void> {
    const [unreadable, readable] = decodeAll(batch)
    const isSlow = ({ message }: Readable) => this.timeouts.has(message.id)
    const usual = readable.filter((one) => !isSlow(one))
    const groups = groupsOf(usual, ({ decoded }) => decoded.lengths.length, CHUNKS_PER_TRANSACTION)
    const slow = readable.filter(isSlow).map((one) => [one])
    const attempt: Attempt = { stored: 0, done, rejected: unreadable, timedOut: [] }
    for (const group of [...groups, ...slow]) await this.storeAll(group, attempt)
    for (const [message, reason] of attempt.rejected) {
      await this.deadLetter.execute(message, reason)
      this.timeouts.delete(message.id)
      done([message])
    }
    if (attempt.timedOut.length > 0) throw attempt.timedOut[0]
  }

  /** Stores a group. If it fails or times out, halves it until the message that causes this is found. */
  private async storeAll(group: readonly Readable[], attempt: Attempt): Promise<void> {
    try {
      const leftOut = await this.store.execute(group.map(({ decoded }) => decoded))
      const reasons = new Map(leftOut.map(({ message, reason }) => [message, reason]))
      attempt.stored += group.length
      for (const { message, decoded } of group) {
        this.timeouts.delete(message.id)
        const reason = reasons.get(decoded)
        if (reason) attempt.rejected.push([message, reason])
      }
      const stored = group.filter(({ decoded }) => !reasons.has(decoded))
      for (const { decoded } of stored) {
        this.totals.count += decoded.lengths.length
        this.totals.bytes += decoded.body.length
      }
      attempt.done(stored.map(({ message }) => message))
    } catch (error) {
      if (!isUnstorable(error) && !tookTooLong(error)) throw error
      const [first] = group
      if (first && group.length === 1) this.reject(first.message, error, attempt)
      else {
        const half = Math.ceil(group.length / 2)
        await this.storeAll(group.slice(0, half), attempt)
        await this.storeAll(group.slice(half), attempt)
      }
    }
  }

  /** Rejects a message immediately if the database rejects it, and after several time-outs, which may be the database's fault. */
  private reject(message: QueuedMessage, error: unknown, attempt: Attempt): void {
    if (!isUnstorable(error)) {
      const timeouts = (this.timeouts.get(message.id) ?? 0) + 1
      this.timeouts.set(message.id, timeouts)
      if (timeouts < (attempt.stored > 0 ? MAX_TIMEOUTS : MAX_TIMEOUTS_ALONE)) {
        attempt.timedOut.push(error)
        // If nothing was stored, the database is slow and not this message.
        if (attempt.stored === 0 && attempt.timedOut.length > 1) throw error
        return
      }
    }
    attempt.rejected.push([message, error])
  }
}

function decodeAll(
  batch: readonly QueuedMessage[],
): [unreadable: [QueuedMessage, unknown][], readable: Readable[]] {
  const unreadable: [QueuedMessage, unknown][] = []
  const readable: Readable[] = []
  for (const message of batch)
    try {
      readable.push({ message, decoded: decodeMessage(message, message) })
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error
      unreadable.push([message, error])
    }
  return [unreadable, readable]
}
