import type { Logger } from './logger.js'

const EVERY_MS = 60_000

/** @returns warns of what goes on failing, with the error of the moment; at most once a minute, so that it fills no log */
export function warnSeldom(logger: Logger, message: string): (error: unknown) => void {
  let warnedAtMs = -Infinity
  return (error) => {
    if (performance.now() - warnedAtMs < EVERY_MS) return
    warnedAtMs = performance.now()
    logger.warn({ err: error }, message)
  }
}
