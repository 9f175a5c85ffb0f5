import type { Logger } from './logger.js'

const EVERY_MS = 60_000
/** Errors that are told apart, so that one which says something else each time fills no log either. */
const MOST_ERRORS = 8

/** @returns warns of what goes on failing; of the same error at most once a minute, so that it fills no log */
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
