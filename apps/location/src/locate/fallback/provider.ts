import { OperationError } from '@bearing/contracts/errors'
import { ConcurrencyLimit } from '@bearing/nats/concurrency-limit'
import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel'
import { Cache } from '@bearing/client-nats/cache'
import { keyPlaceOf, type FallbackRow } from './fallback-row.js'
import type { Outcome, ProviderTools } from './provider-tools.js'
import { fromGroundFix, groundFixBody, isGroundFix } from './rules/ground-fix-shape.js'
import type { Question } from './rules/question.js'
import { readAnswer, type ProviderAnswer } from './rules/read-answer.js'

/** Cached answers of one provider, at about 200 bytes each. */
const MOST_ANSWERS = 5_000
/** Time for which positions, and their absence, are cached, in milliseconds. */
const FOUND_MS = 3_600_000
const NOT_FOUND_MS = 600_000
/** Concurrent requests to one provider. */
const MOST_UNDER_WAY = 16
/** Calls of one organization that wait for its provider. */
const MOST_WAITING = 64
/** Consecutive failures that open the circuit breaker, and how long it stays open, in milliseconds. */
const PATIENCE = { failures: 5, leftAloneMs: 15_000 }

/** The tools of a provider, without what only {@link ProviderTools} needs. */
type Tools = Pick<ProviderTools, 'http' | 'room' | 'limit' | 'count'>

/** The provider of one organization, with its cache and circuit breaker. Organizations share nothing but the concurrency limit. */
export class Provider {
  private readonly answers = new Cache<ProviderAnswer>(MOST_ANSWERS)
  private readonly underWay = new Map<string, Promise<ProviderAnswer | undefined>>()
  private readonly breaker: CircuitBreakerPolicy
  private readonly requests = new ConcurrencyLimit({
    limit: MOST_UNDER_WAY,
    tooMany: 'Too many requests to the provider are waiting',
  })
  private leftAloneUntilMs = -Infinity

  constructor(
    readonly row: FallbackRow,
    private readonly key: string | undefined,
    private readonly tools: Tools,
    { failures, leftAloneMs } = PATIENCE,
  ) {
    const breaker = new ConsecutiveBreaker(failures)
    this.breaker = circuitBreaker(handleAll, { halfOpenAfter: leftAloneMs, breaker })
    this.breaker.onBreak(() => {
      this.leftAloneUntilMs = Date.now() + leftAloneMs
    })
  }

  /**
   * Asks the provider, within its time-out; concurrent identical questions are one request.
   *
   * @returns undefined if it failed, its circuit breaker is open, or a limit is reached
   */
  async ask(question: Question): Promise<ProviderAnswer | undefined> {
    const cached = this.answers.get(question.key)
    if (cached) {
      this.tools.count('remembered')
      return cached
    }
    const share = { key: this.row.organizationId, limit: MOST_WAITING }
    try {
      return await this.tools.room.run([share], () => this.asked(question))
    } catch {
      // The request itself never rejects: the concurrency limit is reached.
      return this.none('too_many')
    }
  }

  private asked(question: Question): Promise<ProviderAnswer | undefined> {
    const before = this.underWay.get(question.key)
    if (before) return before
    const asking = this.request(question).finally(() => this.underWay.delete(question.key))
    this.underWay.set(question.key, asking)
    return asking
  }

  private async request(question: Question): Promise<ProviderAnswer | undefined> {
    // While one request tests whether the provider is back, others do not wait.
    const { state } = this.breaker
    const isLeftAlone = state === CircuitState.Open && Date.now() < this.leftAloneUntilMs
    if (isLeftAlone || state === CircuitState.HalfOpen) return this.none('left_alone')
    const url = new URL(this.row.url)
    const body = isGroundFix(url) ? groundFixBody(question) : question.body
    if (!body) return { found: false }
    try {
      return await this.requests.run([], async () => {
        const { used } = await this.tools.limit.count(this.row.organizationId)
        if (used > this.row.requestsPerMinute) return this.none('too_many')
        const answer = await this.breaker.execute(() => this.send(url, body))
        this.answers.set(question.key, answer, { ttl: answer.found ? FOUND_MS : NOT_FOUND_MS })
        this.tools.count(answer.found ? 'found' : 'not_found')
        return answer
      })
    } catch (error) {
      return this.none(error instanceof OperationError && error.code === 'overloaded' ? 'too_many' : 'failed')
    }
  }

  /** @throws if the reply is not valid, which counts as a failure of the provider */
  private async send(url: URL, body: object): Promise<ProviderAnswer> {
    const { row, key } = this
    const hasGroundFix = isGroundFix(url)
    const isBearer = keyPlaceOf(row) === 'bearer'
    if (key !== undefined && !isBearer) url.searchParams.set('key', key)
    const reply = await this.tools.http.send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Bearing',
        ...(key !== undefined && isBearer && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(row.timeoutMs),
    })
    const text = await reply.text()
    const answer = readAnswer(reply.status, hasGroundFix ? fromGroundFix(text) : text)
    if (!answer) throw new Error(`the provider returned status ${String(reply.status)} and no position`)
    return answer
  }

  private none(outcome: Outcome): ProviderAnswer | undefined {
    this.tools.count(outcome)
    return undefined
  }
}
