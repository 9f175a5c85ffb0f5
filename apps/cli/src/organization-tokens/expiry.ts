import { readSpan } from '../span.js'
import { UsageError } from '../usage-error.js'

/**
 * The moment that a span from now ends, RFC 3339 in UTC.
 *
 * @param text hours, days or weeks: `12h`, `90d`, `52w`
 * @throws UsageError where it is none
 */
export function expiryIn(text: string, nowMs: number): string {
  return new Date(nowMs + readSpan(text, '--expires-in')).toISOString()
}

/**
 * A moment in the future, RFC 3339 in UTC.
 *
 * @param text a date (its first moment in UTC), or a date and time with `Z` or an offset
 * @throws UsageError where it is none or has passed
 */
export function expiryAt(text: string, nowMs: number): string {
  const valid = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i.test(text)
  const atMs = valid ? Date.parse(text) : NaN
  if (Number.isNaN(atMs))
    throw new UsageError(
      '--expires-at takes a date or a time with its zone: 2027-01-31 or 2027-01-31T09:00:00Z.',
    )
  if (atMs <= nowMs) throw new UsageError('--expires-at is in the past.')
  return new Date(atMs).toISOString()
}
