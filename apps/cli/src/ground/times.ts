import { readAttribute } from '@bearing/contracts/management/devices/attribute-text'
import {
  DEFAULT_GRACE_SECONDS,
  MAX_GRACE_SECONDS,
  PROJECT_KEY_GRACE_SECONDS,
} from '@bearing/contracts/primitives'
import type { ValuesOf } from './arguments.js'
import { UsageError } from './usage-error.js'

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * Parses a time span, in milliseconds.
 *
 * @param text hours, days or weeks: `12h`, `90d`, `52w`
 * @param flag its flag, for the message
 * @throws UsageError if it is invalid
 */
export function readSpan(text: string, flag: string): number {
  const [, amount = '', unit = ''] = /^([1-9]\d{0,5})([hdw])$/.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  if (unitMs === undefined)
    throw new UsageError(`${flag} must be hours, days or weeks, such as 12h, 90d or 52w.`)
  return Number(amount) * unitMs
}

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

/** Grace period of a replaced credential if neither flag is given. */
const DEFAULT_GRACE = `${String(DEFAULT_GRACE_SECONDS / 86_400)}d`
/** The same for a project key: an ended key cannot be restored. */
export const PROJECT_KEY_GRACE = `${String(PROJECT_KEY_GRACE_SECONDS / 86_400)}d`

/**
 * Returns the options `--grace`, `--immediately` and `--yes` of a command that replaces a credential.
 *
 * @param yes the description of `--yes`
 */
export function replaceFlags(
  defaultGrace = DEFAULT_GRACE,
  yes = 'do not ask for confirmation; without a terminal it is not asked for',
) {
  return {
    '--grace <span>': `how long the old one continues to work, at most 7d: 12h or 2d (default: ${defaultGrace})`,
    '--immediately': 'the old one stops working immediately',
    '-y, --yes': yes,
  } as const
}

export type ReplaceFlags = ValuesOf<ReturnType<typeof replaceFlags>>

/**
 * Returns the grace period of the old credential, as text and in seconds.
 *
 * @throws UsageError if it is invalid or too long, or both flags are given
 */
export function graceOf(
  { grace, immediately }: ReplaceFlags,
  defaultGrace = DEFAULT_GRACE,
): { text: string; seconds: number } {
  if (immediately && grace !== undefined)
    throw new UsageError('--grace and --immediately contradict each other. Give one of them.')
  if (immediately) return { text: '0', seconds: 0 }
  const text = grace ?? defaultGrace
  return { text, seconds: graceSeconds(text) }
}

/**
 * Returns a grace period in seconds.
 *
 * @throws UsageError if it is invalid or too long
 */
function graceSeconds(text: string): number {
  const seconds = readSpan(text, '--grace') / 1_000
  if (seconds > MAX_GRACE_SECONDS) throw new UsageError('--grace must be at most 7d.')
  return seconds
}
