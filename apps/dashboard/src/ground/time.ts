/** Units with their seconds, and the number from which each is used: days up to a year, since 90 days are not "2 months". */
const UNITS = [
  ['year', 31_557_600, 2],
  ['month', 2_629_800, 12],
  ['day', 86_400, 1],
  ['hour', 3_600, 1],
  ['minute', 60, 1],
  ['second', 1, 0],
] as const

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Returns a moment relative to another: "3 hours ago", "in 2 days". */
export function relativeTime(at: number, nowMs: number): string {
  const seconds = (at - nowMs) / 1_000
  if (Math.abs(seconds) < 10) return 'just now'
  const [unit, size] = UNITS.find(([, each, from]) => Math.abs(seconds) >= from * each) ?? UNITS[5]
  return RELATIVE.format(Math.round(seconds / size), unit)
}

/** Returns a duration as a countdown: "2 d 03:04:05" or "00:12:30". */
export function countdown(milliseconds: number): string {
  const total = Math.max(0, Math.floor(milliseconds / 1_000))
  const days = Math.floor(total / 86_400)
  const clock = [Math.floor(total / 3_600) % 24, Math.floor(total / 60) % 60, total % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
  return days > 0 ? `${String(days)} d ${clock}` : clock
}

/** Returns a moment in UTC, to the minute: "2026-11-23 21:04 UTC". */
export function utcMinute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
