import { OperationError } from '@bearing/contracts/errors'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { SharedStore } from './shared-store.js'
import { WindowCounter } from './window-counter.js'

/** The name, size and window of a rate limit. */
export interface LimitOptions {
  /** Part of the key in the store, and the label in metrics. */
  readonly name: string
  /** Points that are allowed in the window. */
  readonly points: number
  /** Length of the window in seconds. It starts with the first request that is counted. */
  readonly windowS: number
  /** Behavior if the shared store does not respond. `open`: this process counts alone. `closed`: an error. */
  readonly whenStoreIsDown: 'open' | 'closed'
}

/** Use of a limit. */
export interface Count {
  readonly used: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly endsInMs: number
}

/** The rate limits of a process, counted in its memory, or in Redis or Valkey, which all processes share. */
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

  /** @param url of Redis or Valkey; empty to count in memory, without loading their client */
  static async open(url: string, logger: Logger, metrics: Metrics): Promise<RateLimits> {
    if (url === '') return new RateLimits(undefined, metrics)
    const { SharedStore } = await import('./shared-store.js')
    return new RateLimits(new SharedStore(url, logger, metrics), metrics)
  }

  limit(options: LimitOptions): Limit {
    return new Limit(options, this.store, () => {
      this.refusals.inc({ limit: options.name })
    })
  }

  close(): void {
    this.store?.client.disconnect()
  }
}

/** Counts by key, in one fixed window for each key. Without a shared store no method returns a promise. */
export class Limit {
  readonly name: string
  readonly points: number
  readonly windowS: number
  private readonly memory: WindowCounter | undefined
  private readonly shared: RateLimiterRedis | undefined

  constructor(
    options: LimitOptions,
    private readonly store: SharedStore | undefined,
    /** Counts a refusal for the metrics. */
    readonly refused: () => void,
  ) {
    const { name, points, windowS } = options
    this.name = name
    this.points = points
    this.windowS = windowS
    if (store)
      this.shared = new RateLimiterRedis({
        keyPrefix: `bearing:${name}`,
        points,
        duration: windowS,
        storeClient: store.client,
        rejectIfRedisNotReady: true,
      })
    if (!store || options.whenStoreIsDown === 'open') this.memory = new WindowCounter(windowS * 1_000)
  }

  /**
   * Counts one.
   *
   * @param windowS another length for the window that this one starts
   * @throws OperationError `service_unavailable` if the shared store is needed and does not respond
   */
  count(key: string, windowS?: number): Count | Promise<Count> {
    return this.add(key, 1, windowS)
  }

  /**
   * Counts several, such as bytes; a negative number takes them back.
   *
   * @throws as {@link count}
   */
  add(key: string, points: number, windowS = this.windowS): Count | Promise<Count> {
    return this.ask(
      async (limiter) => this.toCount(endOf(await limiter.penalty(key, points, { customDuration: windowS }))),
      (memory) => this.toCount(memory.add(key, points, windowS * 1_000)),
    )
  }

  /**
   * Returns how much is used; undefined if nothing is.
   *
   * @throws as {@link count}
   */
  look(key: string): Count | undefined | Promise<Count | undefined> {
    return this.ask(
      async (limiter) => {
        const found = await limiter.get(key)
        return found && found.msBeforeNext > 0 ? this.toCount(endOf(found)) : undefined
      },
      (memory) => {
        const found = memory.look(key)
        return found && this.toCount(found)
      },
    )
  }

  /**
   * Takes one back.
   *
   * @throws as {@link count}
   */
  async uncount(key: string): Promise<void> {
    await this.add(key, -1)
  }

  /**
   * Resets the count of a key.
   *
   * @throws as {@link count}
   */
  async reset(key: string): Promise<void> {
    await this.ask<unknown>(
      (limiter) => limiter.delete(key),
      (memory) => {
        memory.delete(key)
      },
    )
  }

  private toCount({ used, endsInMs }: { used: number; endsInMs: number }): Count {
    return { used, remaining: Math.max(0, this.points - used), endsInMs: Math.max(0, endsInMs) }
  }

  private ask<Answer>(
    shared: (limiter: RateLimiterRedis) => Promise<Answer>,
    alone: (memory: WindowCounter) => Answer,
  ): Answer | Promise<Answer> {
    const { store, shared: limiter, memory } = this
    if (store && limiter)
      return store
        .use(() => shared(limiter))
        .catch((error: unknown) => {
          if (memory) return alone(memory)
          throw cannotCount(error)
        })
    if (memory) return alone(memory)
    throw new Error('unreachable: there is a store or a memory')
  }
}

function endOf({ consumedPoints, msBeforeNext }: RateLimiterRes): { used: number; endsInMs: number } {
  return { used: consumedPoints, endsInMs: msBeforeNext }
}

function cannotCount(error: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'The number of attempts cannot be checked at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause: String(error) }, // see SharedStore.log
  )
}
