import { backoffMs } from '@bearing/contracts/durations'
import type { Msg, Subscription } from '@nats-io/transport-node'
import type { Connection } from './connection.js'

/** A subscriber. */
export interface Listener {
  /** Of those who listen with the same name, each message goes to one. */
  readonly queue?: string
  readonly received: (message: Msg) => void
  /** Called once when NATS refuses the subscription, and not again until it accepts it. */
  readonly refused?: (refusal: Error) => void
  /** Called when NATS accepts it again. Messages that were published in between were missed. */
  readonly restored?: () => void
}

/** After a refusal it subscribes again with this backoff. */
const RETRY = { firstMs: 500, maxMs: 30_000 }

/**
 * A subscription that comes back. The NATS library abandons a subscription that the server has refused once, and the
 * server does not notify clients when its list of users is corrected and reloaded: so this retries until it is accepted.
 */
export class ResilientSubscription {
  private subscription: Subscription | undefined
  private refusal: Error | undefined
  private retry: NodeJS.Timeout | undefined
  private failures = 0
  private hasEnded = false

  /** @throws where the connection is closed */
  constructor(
    private readonly connection: Connection,
    private readonly subject: string,
    private readonly listener: Listener,
  ) {
    connection.reconnected(() => {
      // Its list of users may be a newer one now.
      if (this.refusal || !this.subscription) void this.attempt()
    })
    connection.refused((refusal) => {
      const { subscription } = this
      if (!subscription || subscription.getID() !== withdrawnBy(refusal)) return
      subscription.unsubscribe()
      this.wasRefused(refusal)
    })
    this.subscription = this.subscribe()
  }

  /** Ends the subscription after handling what has come in, until the connection has returned. */
  async pause(): Promise<void> {
    const { subscription } = this
    this.subscription = undefined
    await subscription?.drain()
  }

  /** Ends the subscription after handling what has come in. */
  async drain(): Promise<void> {
    this.hasEnded = true
    clearTimeout(this.retry)
    await this.subscription?.drain()
  }

  private subscribe(): Subscription {
    const { queue, received } = this.listener
    return this.connection.raw.subscribe(this.subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (error) this.wasRefused(error)
        else received(message)
      },
    })
  }

  private wasRefused(refusal: Error): void {
    this.subscription = undefined
    const isNew = this.refusal === undefined
    this.refusal = refusal
    this.tryLater()
    if (isNew) this.listener.refused?.(refusal)
  }

  private tryLater(): void {
    clearTimeout(this.retry)
    if (this.hasEnded) return
    this.retry = setTimeout(() => void this.attempt(), backoffMs(++this.failures, RETRY)).unref()
  }

  private async attempt(): Promise<void> {
    clearTimeout(this.retry)
    // Without a connection there is nothing to try: its return is the next attempt.
    if (this.hasEnded || !this.connection.isUp) return
    try {
      const attempted = (this.subscription ??= this.subscribe())
      // By the time the server has answered this, it has refused what it refuses.
      await this.connection.raw.flush()
      if (this.subscription === attempted) this.succeeded()
    } catch {
      this.tryLater()
    }
  }

  private succeeded(): void {
    if (this.refusal === undefined) return
    this.refusal = undefined
    this.failures = 0
    this.listener.restored?.()
  }
}

/**
 * The number of the subscription that NATS has ended after it had taken it; undefined where it says something else. It does
 * not name the queue then, and the library, which looks for that, finds no subscription to notify.
 */
function withdrawnBy({ message }: Error): number | undefined {
  const number = /^Permissions Violation for Subscription to .* \(sid "(\d+)"\)$/.exec(message)?.[1]
  return number === undefined ? undefined : Number(number)
}
