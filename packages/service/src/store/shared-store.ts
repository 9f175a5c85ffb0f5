import { Redis } from 'ioredis'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'

/** Time limit of a query, in milliseconds: a caller waits for it. */
const STORE_TIMEOUT_MS = 500
/** Pause after the store did not answer, in milliseconds: not every request has to find out. */
const STORE_PAUSE_MS = 1_000
const RECONNECT_MS = 500
const LOG_EVERY_MS = 60_000

/** The connection to Redis or Valkey. It reconnects without limit; until then each query fails immediately. */
export class SharedStore {
  readonly client: Redis
  private pausedUntilMs = -Infinity
  private loggedAtMs = -Infinity
  private readonly failures

  constructor(
    url: string,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.failures = metrics.counter(
      'bearing_limit_store_failures_total',
      'Questions about limits that the shared store did not answer.',
    )
    this.client = new Redis(url, {
      connectionName: 'bearing',
      connectTimeout: STORE_TIMEOUT_MS * 4,
      commandTimeout: STORE_TIMEOUT_MS,
      // A count that waits for a connection would be added long after its request was answered.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      retryStrategy: () => RECONNECT_MS,
    })
    this.client.on('error', (error: Error) => {
      this.log(error)
    })
  }

  /** @throws where it does not answer in time, or did not a moment ago */
  async use<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      if (performance.now() < this.pausedUntilMs) throw new Error('the store of limits did not answer')
      return await question()
    } catch (error) {
      this.failures.inc()
      if (performance.now() >= this.pausedUntilMs) this.pausedUntilMs = performance.now() + STORE_PAUSE_MS
      this.log(error)
      throw error
    }
  }

  private log(error: unknown): void {
    if (performance.now() - this.loggedAtMs < LOG_EVERY_MS) return
    this.loggedAtMs = performance.now()
    // Its text alone: with a refused login the client's errors carry the password along.
    this.logger.warn(
      { cause: String(error) },
      'the shared store of limits does not answer: quotas are counted by each process, passwords refused',
    )
  }
}
