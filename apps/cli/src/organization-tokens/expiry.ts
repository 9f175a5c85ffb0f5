import { readSpan } from '../span.js'

/**
 * Returns the end of a span from now, as RFC 3339 in UTC.
 *
 * @param text hours, days or weeks: `12h`, `90d`, `52w`
 * @throws UsageError if it is invalid
 */
export function expiryIn(text: string, nowMs: number): string {
  return new Date(nowMs + readSpan(text, '--expires-in')).toISOString()
}
