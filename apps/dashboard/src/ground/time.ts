const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Returns a moment relative to another: "3 hours ago", "in 2 days". */
export function relativeTime(at: number, nowMs: number): string {
  const seconds = Math.round((at - nowMs) / 1_000)
  const [unit, size] =
    UNITS.find(([, candidate]) => Math.abs(seconds) >= candidate) ?? UNITS[UNITS.length - 1] ?? UNITS[5]
  return Math.abs(seconds) < 10 ? 'just now' : RELATIVE.format(Math.trunc(seconds / size), unit)
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
