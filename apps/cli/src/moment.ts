import { readAttribute } from '@bearing/contracts/management/devices/attribute-text'
import { readSpan } from './span.js'
import { UsageError } from './usage-error.js'

/**
 * Parses a time for the server.
 *
 * @param flag its flag, for the message
 * @param text a date (midnight UTC), or a time with its zone
 * @throws UsageError if it is neither
 */
export function readMoment(flag: string, text: string): string {
  const moment = readAttribute('time', text)
  if (typeof moment !== 'string')
    throw new UsageError(
      `${flag} must be a date, or a time with its zone: 2027-01-31 or 2027-01-31T09:00:00Z.`,
    )
  return moment
}

/**
 * Parses `--since`, for the server.
 *
 * @param text as for {@link readMoment}, or how long ago: `12h`, `7d`
 * @throws UsageError if it is neither
 */
export function readSince(text: string): string {
  if (!/^\d+[hdw]$/.test(text)) return readMoment('--since', text)
  return new Date(Date.now() - readSpan(text, '--since')).toISOString()
}
