import { backoffMs } from '@bearing/contracts/backoff'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError, UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import { OperationError } from '@bearing/contracts/errors'

const ATTEMPTS = 6
const FIRST_WAIT_MS = 250
/** As long as a gateway asks to wait at most: until the minute of a quota is over. */
const MAX_WAIT_MS = 60_000

/**
 * Does something that may be repeated without harm, again while the server is busy or cannot be reached: up to 6
 * times, as far apart as the server says, or else 0.25 s and twice as long each time.
 *
 * @param signal ends the waiting
 * @throws what the last attempt threw
 */
export async function retryTransient<Result>(
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ;) {
    try {
      return await attempt()
    } catch (error) {
      failures++
      if (failures === ATTEMPTS || signal.aborted || !isTransient(error)) throw error
      await sleep(waitMs(error, failures), undefined, { signal })
    }
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof UnreachableError) return true
  // What a proxy or a storage says while what is behind it is away.
  if (error instanceof UnexpectedReplyError) return [500, 502, 503, 504].includes(error.status)
  return (
    (error instanceof ProblemError || error instanceof OperationError) && [429, 503].includes(error.status)
  )
}

/** How long to wait after an error, in milliseconds. @param failures how often it has failed, from 1 */
export function waitMs(error: unknown, failures: number): number {
  const asked =
    error instanceof ProblemError
      ? error.retryAfter
      : error instanceof OperationError
        ? error.details.retry_after
        : undefined
  return asked === undefined
    ? backoffMs(failures, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS })
    : Math.min(MAX_WAIT_MS, asked * 1_000)
}
