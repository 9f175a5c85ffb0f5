import { UsageError } from './usage-error.js'

/**
 * Parses a time for the server.
 *
 * @param flag its flag, for the message
 * @param text a date (midnight UTC), or a time with its zone
 * @throws UsageError if it is neither
 */
export function readMoment(flag: string, text: string): string {
  const valid = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i.test(text)
  const atMs = valid ? Date.parse(text) : NaN
  if (Number.isNaN(atMs))
    throw new UsageError(
      `${flag} must be a date, or a time with its zone: 2027-01-31 or 2027-01-31T09:00:00Z.`,
    )
  return new Date(atMs).toISOString()
}
