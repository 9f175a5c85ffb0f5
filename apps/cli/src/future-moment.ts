import { readMoment } from './moment.js'
import { UsageError } from './usage-error.js'

/**
 * Parses a time in the future, and returns it as RFC 3339 in UTC.
 *
 * @param text a date (its first moment in UTC), or a date and time with `Z` or an offset
 * @param flag the flag whose value it is, for the message
 * @throws UsageError if it is invalid or in the past
 */
export function futureMoment(text: string, flag: string, nowMs: number): string {
  const moment = readMoment(flag, text)
  if (Date.parse(moment) <= nowMs) throw new UsageError(`${flag} is in the past.`)
  return moment
}
