import { groupsOf } from '@bearing/nats/groups-of'
import type { Done, QueuedMessage } from '@bearing/nats/work-queue'
import { isUnstorable, tookTooLong } from '@bearing/service/unavailable'
import type { BuryMessage } from '../dead-letters/store-dead-letter.js'
import { UnreadableMessage, decodeMessage, type DeviceMessage } from './decode-message.js'
import type { StoreMessages } from './store-messages.js'

/** Chunks that are stored in one transaction: a tenth of a second, where transactions may take four. */
const AT_ONCE = 5_000
/** A message that took too long by itself as often is given up. */
const MOST_TIMEOUTS = 5

interface Readable {
  readonly message: QueuedMessage
  readonly decoded: DeviceMessage
}

/** How one attempt is going: messages that were dealt with, and those that are to become dead letters. */
interface Attempt {
  stored: number
  readonly done: Done
  /** With the reason. */
  readonly lost: [QueuedMessage, unknown][]
  /** Why messages that wait took too long. */
  readonly tooLong: unknown[]
}

/** Stores what comes out of the queue; what can never be stored becomes a dead letter, so that it holds up nothing. */
export class ConsumeMessages {
  /** How often messages took too long by themselves, by their ids. */
  private readonly timeouts = new Map<string, number>()

  constructor(
    private readonly store: StoreMessages,
    private readonly burial: BuryMessage,
  ) {}

  /**
   * @param done told of those that are stored, before any dead letter is written: where NATS has no room for one, what it
   *   acknowledges makes room
   * @throws where Postgres or NATS is not there, or not as it should be: those that are not done come again
   */
  async execute(batch: readonly QueuedMessage[], done: Done = () => undefined): Promise<void> {
    const [unreadable, readable] = decodeAll(batch)
    const isSlow = ({ message }: Readable) => this.timeouts.has(message.id)
    const usual = readable.filter((one) => !isSlow(one))
    const groups = groupsOf(usual, ({ decoded }) => decoded.lengths.length, AT_ONCE)
    const slow = readable.filter(isSlow).map((one) => [one])
    const attempt: Attempt = { stored: 0, done, lost: unreadable, tooLong: [] }
    for (const group of [...groups, ...slow]) await this.storeAll(group, attempt)
    for (const [message, why] of attempt.lost) {
      await this.burial.execute(message, why)
      this.timeouts.delete(message.id)
      done([message])
    }
    if (attempt.tooLong.length > 0) throw attempt.tooLong[0]
  }

  /** A group that is refused, or takes too long, is halved until it is known which message that comes from. */
  private async storeAll(group: readonly Readable[], attempt: Attempt): Promise<void> {
    try {
      const leftOut = await this.store.execute(group.map(({ decoded }) => decoded))
      const unknown = new Map(leftOut.map(({ message, why }) => [message, why]))
      attempt.stored += group.length
      for (const { message, decoded } of group) {
        this.timeouts.delete(message.id)
        const why = unknown.get(decoded)
        if (why) attempt.lost.push([message, why])
      }
      const stored = group.filter(({ decoded }) => !unknown.has(decoded))
      attempt.done(stored.map(({ message }) => message))
    } catch (error) {
      if (!isUnstorable(error) && !tookTooLong(error)) throw error
      const [first] = group
      if (first && group.length === 1) this.giveUp(first.message, error, attempt)
      else {
        const half = Math.ceil(group.length / 2)
        await this.storeAll(group.slice(0, half), attempt)
        await this.storeAll(group.slice(half), attempt)
      }
    }
  }

  /** At once where the database refuses it; where it takes too long, that may be the database's fault: not before it did often. */
  private giveUp(message: QueuedMessage, error: unknown, attempt: Attempt): void {
    if (!isUnstorable(error)) {
      const timeouts = (this.timeouts.get(message.id) ?? 0) + 1
      this.timeouts.set(message.id, timeouts)
      if (timeouts < MOST_TIMEOUTS) {
        attempt.tooLong.push(error)
        // It is not this one where nothing at all gets through.
        if (attempt.stored === 0 && attempt.tooLong.length > 1) throw error
        return
      }
    }
    attempt.lost.push([message, error])
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
