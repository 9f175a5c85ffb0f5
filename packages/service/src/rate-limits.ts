import { atMost } from '@bearing/client-nats/at-most'
import { OperationError } from '@bearing/contracts/errors'
import { LRUCache } from 'lru-cache'
import {
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterAbstract,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'
import type { SharedStore } from './shared-store.js'

/** What is counted, and for how long. */
export interface LimitOptions {
  /** Part of the key in the store, and the label in metrics. */
  readonly name: string
  /** How many are allowed in the window. */
  readonly points: number
  /** Length of the window, from the first that is counted, in seconds; at most 24 days, the longest that timers run. */
  readonly windowS: number
  /**
   * What happens where the shared store does not answer. `open`: this process counts by itself. `closed`: an error, since
   * who cannot count must not guess.
   */
  readonly whenStoreIsDown: 'open' | 'closed'
}

/** How much of a limit is used. */
export interface Count {
  readonly used: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly endsInMs: number
}

/** Keys that one limit remembers in this process, at about 400 bytes each; the longest unused go first. */
const MAX_KEYS = 100_000

/** Limits of this process: in its memory, or in Redis or Valkey, which all processes share. */
export class RateLimits {
  private readonly refusals

  private constructor(
    private readonly store: SharedStore | undefined,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter(
      'bearing_limited_total',
      'Requests refused because a limit was reached, by limit.',
      ['limit'],
    )
  }

  /** @param url of Redis or Valkey, whose client is loaded only where it is of use; empty for the memory of this process */
  static async open(url: string, logger: Logger, metrics: Metrics): Promise<RateLimits> {
    if (url === '') return new RateLimits(undefined, metrics)
    const { SharedStore } = await import('./shared-store.js')
    return new RateLimits(new SharedStore(url, logger, metrics), metrics)
  }

  /** Makes a limit. */
  limit(options: LimitOptions): Limit {
    return new Limit(options, this.store, () => {
      this.refusals.inc({ limit: options.name })
    })
  }

  /** Lets go of the store. */
  close(): void {
    this.store?.client.disconnect()
  }
}

/** Counts something by key, in a fixed window for each. Made by {@link RateLimits}. */
export class Limit {
  readonly name: string
  readonly points: number
  readonly windowS: number
  private readonly memory: RateLimiterAbstract | undefined
  private readonly shared: RateLimiterAbstract | undefined

  constructor(
    options: LimitOptions,
    private readonly store: SharedStore | undefined,
    /** Counts a refusal for the metrics. */
    readonly refused: () => void,
  ) {
    this.name = options.name
    this.points = options.points
    this.windowS = options.windowS
    const settings = {
      keyPrefix: `bearing:${options.name}`,
      points: options.points,
      duration: options.windowS,
    }
    this.shared =
      store && new RateLimiterRedis({ ...settings, storeClient: store.client, rejectIfRedisNotReady: true })
    if (!store || options.whenStoreIsDown === 'open') this.memory = new BoundedMemory(settings)
  }

  /**
   * Counts one.
   *
   * @param windowS another length for the window that this one begins
   * @throws OperationError `service_unavailable` where the shared store is needed and does not answer
   */
  async count(key: string, windowS?: number): Promise<Count> {
    const options = windowS === undefined ? undefined : { customDuration: windowS }
    return this.toCount(await this.ask((limiter) => limiter.penalty(key, 1, options)))
  }

  /**
   * Counts several, such as bytes; a negative number takes them back.
   *
   * @throws as {@link count}
   */
  async add(key: string, points: number): Promise<Count> {
    return this.toCount(await this.ask((limiter) => limiter.penalty(key, points)))
  }

  /**
   * How much is used; undefined where nothing is.
   *
   * @throws as {@link count}
   */
  async look(key: string): Promise<Count | undefined> {
    const found = await this.ask((limiter) => limiter.get(key))
    // The library tidies up a moment after the end.
    return found && found.msBeforeNext > 0 ? this.toCount(found) : undefined
  }

  /**
   * Takes one back.
   *
   * @throws as {@link count}
   */
  async uncount(key: string): Promise<void> {
    await this.ask((limiter) => limiter.reward(key, 1))
  }

  /**
   * Begins anew.
   *
   * @throws as {@link count}
   */
  async forget(key: string): Promise<void> {
    await this.ask((limiter) => limiter.delete(key))
  }

  private toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
    return {
      used: consumedPoints,
      remaining: Math.max(0, this.points - consumedPoints),
      endsInMs: Math.max(0, msBeforeNext),
    }
  }

  private async ask<Answer>(question: (limiter: RateLimiterAbstract) => Promise<Answer>): Promise<Answer> {
    let cause: unknown
    if (this.store && this.shared) {
      try {
        return await this.store.use(this.shared, question)
      } catch (error) {
        cause = String(error) // see SharedStore.log
      }
    }
    if (this.memory) return question(this.memory)
    throw new OperationError(
      'service_unavailable',
      'It cannot be told at the moment how often this was tried. Try again shortly.',
      { retry_after: 1 },
      { cause },
    )
  }
}

/** The library's memory grows with every key, and anybody can make keys. */
class BoundedMemory extends RateLimiterMemory {
  private readonly keys = new LRUCache<string, true>({
    ...atMost(MAX_KEYS),
    dispose: (_, key, reason) => {
      if (reason === 'evict') void super.delete(key)
    },
  })

  override penalty(
    ...[key, points, options]: Parameters<RateLimiterMemory['penalty']>
  ): Promise<RateLimiterRes> {
    this.keys.set(String(key), true)
    return super.penalty(key, points, options)
  }
}
