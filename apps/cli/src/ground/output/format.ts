/** Formats a time to the minute, in UTC; "never" or another text if it is null. */
export function moment(timestamp: string | null, none = 'never'): string {
  if (timestamp === null) return none
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}

/** Formats the time of something of which several can happen in one minute: to the second, in UTC. */
export function second(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`
}

/** Formats a count with thousands separators. */
export function count(number: number): string {
  return number.toLocaleString('en-US')
}

/** Formats a count with its noun: `1 row`, `2,000 rows`. */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** Formats a size in bytes: `812 KB`, `1.2 GB`. */
export function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : String(Math.round(value))} ${units[unit] ?? ''}`
}

/** Formats seconds: `0:07`, `12:30`, `1:02:03`. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const hours = Math.floor(whole / 3_600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0
    ? `${String(hours)}:${String(minutes).padStart(2, '0')}:${rest}`
    : `${String(minutes)}:${rest}`
}
