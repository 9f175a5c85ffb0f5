import type { Logger } from './logger.js'

const EVERY_MS = 60_000
/** Different errors at a time, so that one with a new text each time does not fill the log either. */
const MOST_ERRORS = 8

/** @returns a function that logs repeated failures: the same error at most once a minute */
export function warnSeldom(
  logger: Logger,
  message: string,
  level: 'warn' | 'error' = 'warn',
): (error: unknown) => void {
  const warnedAtMs = new Map<string, number>()
  return (error) => {
    const now = performance.now()
    for (const [text, atMs] of warnedAtMs) if (now - atMs >= EVERY_MS) warnedAtMs.delete(text)
    const text = String(error)
    if (warnedAtMs.has(text) || warnedAtMs.size >= MOST_ERRORS) return
    warnedAtMs.set(text, now)
    logger[level]({ err: error }, message)
  }
}
