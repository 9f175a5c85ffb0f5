import { UsageError } from './usage-error.js'

/**
 * Parses a time in the future, and returns it as RFC 3339 in UTC.
 *
 * @param text a date (its first moment in UTC), or a date and time with `Z` or an offset
 * @param flag the flag whose value it is, for the message
 * @throws UsageError if it is invalid or in the past
 */
export function futureMoment(text: string, flag: string, nowMs: number): string {
  const valid = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i.test(text)
  const atMs = valid ? Date.parse(text) : NaN
  if (Number.isNaN(atMs))
    throw new UsageError(
      `${flag} must be a date, or a time with its zone: 2027-01-31 or 2027-01-31T09:00:00Z.`,
    )
  if (atMs <= nowMs) throw new UsageError(`${flag} is in the past.`)
  return new Date(atMs).toISOString()
}
