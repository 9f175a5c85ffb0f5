import type { GuardedHttp } from '@bearing/outbound/guarded-http'
import { OutsideRoom } from '@bearing/service/outside-room'
import type { Limit } from '@bearing/service/rate-limits'
import {
  BulkheadRejectedError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  bulkhead,
  circuitBreaker,
  handleAll,
} from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { keyPlaceOf, type FallbackRow } from './fallback-row.js'
import type { Question } from './rules/question.js'
import { readAnswer, type ProviderAnswer } from './rules/read-answer.js'

/** Answers that are remembered of one provider, at about 200 bytes each. */
const MOST_ANSWERS = 5_000
/** How long an answer is remembered, and that there is none, in milliseconds. */
const FOUND_MS = 3_600_000
const NOT_FOUND_MS = 600_000
/** Requests under way at once: a provider that is slow does not hold up what others ask of this process. */
const MOST_UNDER_WAY = 16
/**
 * Calls that wait for providers at once, of one organization and in all, also where many wait for the same answer: what waits
 * has a place of this process, and customers name providers, which may be slow on purpose.
 */
const MOST_WAITING = { ofOne: 64, all: 256 } as const
/** Failures in a row after which a provider is left alone, and for how long, in milliseconds. */
const PATIENCE = { failures: 5, leftAloneMs: 15_000 }

/** Where calls wait for the providers of all organizations. */
export class ProviderRoom extends OutsideRoom {
  constructor() {
    super({ most: MOST_WAITING.all, beyondShare: 'overloaded', tooMany: 'Too many wait for providers' })
  }
}

/** What became of a question, for metrics. */
export type Outcome = 'found' | 'not_found' | 'remembered' | 'failed' | 'left_alone' | 'too_many'

/** What providers of all organizations have in common. */
export interface ProviderTools {
  readonly http: GuardedHttp
  readonly room: ProviderRoom
  /** Counts requests by organization, in a window of a minute. */
  readonly limit: Pick<Limit, 'count'>
  readonly told: (outcome: Outcome) => void
}

/**
 * One organization's provider: what it has answered, and how it is doing. Nothing but the room is shared with another
 * organization, so none is answered from what another one paid for, or suffers from another one's provider.
 */
export class Provider {
  private readonly answers = new LRUCache<string, ProviderAnswer>({ max: MOST_ANSWERS })
  private readonly underWay = new Map<string, Promise<ProviderAnswer | undefined>>()
  private readonly breaker: CircuitBreakerPolicy
  private readonly atOnce = bulkhead(MOST_UNDER_WAY)
  private leftAloneUntilMs = -Infinity

  constructor(
    readonly row: FallbackRow,
    private readonly key: string | undefined,
    private readonly tools: ProviderTools,
    { failures, leftAloneMs } = PATIENCE,
  ) {
    const breaker = new ConsecutiveBreaker(failures)
    this.breaker = circuitBreaker(handleAll, { halfOpenAfter: leftAloneMs, breaker })
    this.breaker.onBreak(() => {
      this.leftAloneUntilMs = Date.now() + leftAloneMs
    })
  }

  /**
   * Asks; the same question at the same time only once. Takes no longer than the provider is given.
   *
   * @returns undefined where there is no answer: it failed, is left alone for a while, or was asked too often
   */
  async ask(question: Question): Promise<ProviderAnswer | undefined> {
    const remembered = this.answers.get(question.key)
    if (remembered) {
      this.tools.told('remembered')
      return remembered
    }
    const share = { of: this.row.organizationId, most: MOST_WAITING.ofOne }
    try {
      return await this.tools.room.run([share], () => this.asked(question))
    } catch {
      // What is asked never fails: there is no room.
      return this.none('too_many')
    }
  }

  private asked(question: Question): Promise<ProviderAnswer | undefined> {
    const before = this.underWay.get(question.key)
    if (before) return before
    const asking = this.askAnew(question).finally(() => this.underWay.delete(question.key))
    this.underWay.set(question.key, asking)
    return asking
  }

  private async askAnew(question: Question): Promise<ProviderAnswer | undefined> {
    // While one request finds out whether the provider is back, the others do not wait for it.
    const { state } = this.breaker
    const isLeftAlone = state === CircuitState.Open && Date.now() < this.leftAloneUntilMs
    if (isLeftAlone || state === CircuitState.HalfOpen) return this.none('left_alone')
    try {
      return await this.atOnce.execute(async () => {
        const { used } = await this.tools.limit.count(this.row.organizationId)
        if (used > this.row.requestsPerMinute) return this.none('too_many')
        const answer = await this.breaker.execute(() => this.send(question))
        this.answers.set(question.key, answer, { ttl: answer.found ? FOUND_MS : NOT_FOUND_MS })
        this.tools.told(answer.found ? 'found' : 'not_found')
        return answer
      })
    } catch (error) {
      return this.none(error instanceof BulkheadRejectedError ? 'too_many' : 'failed')
    }
  }

  /** @throws where it is no answer: all of that counts as a failure of the provider */
  private async send({ body }: Question): Promise<ProviderAnswer> {
    const { row, key } = this
    const url = new URL(row.url)
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
    const answer = readAnswer(reply.status, await reply.text())
    if (!answer) throw new Error(`the provider answered ${String(reply.status)}, and no position`)
    return answer
  }

  private none(outcome: Outcome): ProviderAnswer | undefined {
    this.tools.told(outcome)
    return undefined
  }
}
