import { ACKNOWLEDGED_MS } from '../streams/work-consumer.js'

/** A queue, as its stream and its consumer say at about the same time. All of them are numbers of messages. */
export interface QueueState {
  /** Messages in the stream: before the consumer was asked, and after that. */
  readonly lying: readonly [before: number, after: number]
  /** Messages that were stored so far, also those no longer in the stream. */
  readonly stored: number
  /** Messages that the consumer has never handed out. */
  readonly waiting: number
  /** Messages that it has handed out and that are not acknowledged. */
  readonly handedOut: number
  /** Number of times that it has handed out a message. */
  readonly deliveries: number
  /** Place of the stream up to which everything was acknowledged. */
  readonly floor: number
}

/** Looks in a row that show nothing moving before it counts as standing still. */
const STILL_LOOKS = 3
/** Time for which one message may hold the floor while others get through, in milliseconds: it was handed out a second time by then. */
const HELD_MS = 2 * ACKNOWLEDGED_MS
/** Pause after a repair of a consumer, in milliseconds: twice as long each time that the repair did not help. */
const REST_MS = { least: ACKNOWLEDGED_MS, most: 3_600_000 }

/**
 * Detects a consumer that has lost count of its stream. A killed NATS server may write the state of a consumer later than the
 * stream: the consumer then counts messages as delivered that are gone, or as acknowledged that are back. It delivers the latter
 * never again, and because of the former delays others for days. NATS 2.9.10 and 2.10.27 do this (decision 50).
 */
export class QueueWatch {
  private last: QueueState | undefined
  private stillLooks = 0
  private floorSinceMs = 0
  private goneAtFloor = 0
  private pausedUntilMs = -Infinity
  private restMs = REST_MS.least

  /**
   * @param nowMs of any clock that only goes forward; a look every few seconds
   * @returns whether its consumer should be recreated: nothing moves and the numbers do not add up, or one message is never
   *   acknowledged although others are
   */
  isHurt(state: QueueState, nowMs: number): boolean {
    const gone = state.stored - state.lying[0]
    if (addsUp(state)) this.restMs = REST_MS.least
    if (state.floor !== this.last?.floor || state.handedOut === 0) {
      this.floorSinceMs = nowMs
      this.goneAtFloor = gone
    }
    // A server that was killed may bring some back.
    this.goneAtFloor = Math.min(this.goneAtFloor, gone)
    this.stillLooks = this.last && isStill(this.last, state) && !addsUp(state) ? this.stillLooks + 1 : 0
    this.last = state
    const isHeld = nowMs - this.floorSinceMs >= HELD_MS && gone > this.goneAtFloor
    if (nowMs < this.pausedUntilMs || !(isHeld || this.stillLooks >= STILL_LOOKS)) return false
    this.last = undefined
    this.pausedUntilMs = nowMs + this.restMs
    this.restMs = Math.min(2 * this.restMs, REST_MS.most)
    return true
  }
}

function isStill(before: QueueState, after: QueueState): boolean {
  return (
    before.deliveries === after.deliveries &&
    before.handedOut === after.handedOut &&
    before.floor === after.floor
  )
}

/** Returns true if all messages in the stream wait or were handed out, and no others do. */
function addsUp({ lying: [before, after], waiting, handedOut }: QueueState): boolean {
  return waiting + handedOut >= before && waiting + handedOut <= after
}
