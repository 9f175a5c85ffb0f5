const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?$/i
/** Times that are numbers: seconds, or milliseconds from this one on. */
const EPOCH = /^\d{9,13}(?:\.\d+)?$/
const FIRST_MILLISECONDS = 1e11

/**
 * Reads a time as files have it: `2024-01-01 10:00:00`, with or without leading zeros, a `T`, fractions of a second and an offset (default:
 * UTC); or seconds or milliseconds since 1970.
 *
 * @returns milliseconds since 1970, in whole seconds; undefined if it is no time
 */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim()
  if (EPOCH.test(trimmed)) {
    const value = Number(trimmed)
    return value < FIRST_MILLISECONDS ? Math.floor(value) * 1_000 : Math.floor(value)
  }
  const [, year, month, day, hour, minute, second = '0', zone = 'Z'] = TIME.exec(trimmed) ?? []
  if (year === undefined) return undefined
  const parts = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts
  const utc = new Date(Date.UTC(y, mo - 1, d, h, mi, s))
  // A value out of range would be another time.
  if (utc.getUTCMonth() !== mo - 1 || utc.getUTCDate() !== d || h > 23 || mi > 59 || s > 59) return undefined
  return utc.getTime() - offsetMs(zone)
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
