import { readSpan } from '../span.js'

/**
 * The moment that a span from now ends, RFC 3339 in UTC.
 *
 * @param text hours, days or weeks: `12h`, `90d`, `52w`
 * @throws UsageError where it is none
 */
export function expiryIn(text: string, nowMs: number): string {
  return new Date(nowMs + readSpan(text, '--expires-in')).toISOString()
}
