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
