import { GuardedHttp } from '@bearing/outbound/guarded-http'
import { Metrics } from '@bearing/service/observe/metrics'
import { ConcurrencyLimit } from '@bearing/nats/concurrency-limit'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'

/** Calls that may wait for all providers together, in this process: customers choose providers, which may be slow. */
const MOST_WAITING = 256

/** The outcome of a question, for metrics. */
export type Outcome = 'found' | 'not_found' | 'remembered' | 'failed' | 'left_alone' | 'too_many'

/** Tools that the providers of all organizations share. */
@Injectable()
export class ProviderTools {
  readonly room = new ConcurrencyLimit({
    limit: MOST_WAITING,
    tooMany: 'Too many calls wait for providers',
  })
  /** Counts requests by organization, per minute. */
  readonly limit: Pick<Limit, 'count'>
  readonly count: (outcome: Outcome) => void

  constructor(
    readonly http: GuardedHttp,
    limits: RateLimits,
    metrics: Metrics,
  ) {
    this.limit = limits.limit({
      ...{ name: 'location_fallback', points: 60_000, windowS: 60, whenStoreIsDown: 'open' },
    })
    const counter = metrics.counter(
      'bearing_location_fallback_total',
      'Requests to the providers of organizations, for positions that Bearing did not know, by outcome.',
      ['outcome'],
    )
    this.count = (outcome) => {
      counter.inc({ outcome })
    }
  }
}
