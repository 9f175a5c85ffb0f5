import { OperationError } from '@bearing/contracts/errors'
import type { Count, Limit } from '@bearing/service/store/rate-limits'

/** Header fields of a limit (draft-ietf-httpapi-ratelimit-headers-10, RateLimit header fields for HTTP). */
export type LimitHeaders = Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>

/** Returns the header fields of a limit and its remaining points. */
export function limitHeaders({ name, points, windowS }: Limit, { remaining, endsInMs }: Count): LimitHeaders {
  return {
    'ratelimit-policy': `"${name}";q=${String(points)};w=${String(windowS)}`,
    ratelimit: `"${name}";r=${String(remaining)};t=${String(seconds(endsInMs))}`,
  }
}

/** The error for a request over a limit. */
export class LimitReached extends OperationError {
  readonly headers: LimitHeaders

  constructor(limit: Limit, count: Count, message: string) {
    super('rate_limited', message, { retry_after: Math.max(1, seconds(count.endsInMs)) })
    this.headers = limitHeaders(limit, count)
    limit.refused()
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000)
}
