import { backoffMs } from '@bearing/contracts/durations'
import { OperationError } from '@bearing/contracts/errors'
import type { RouteName } from '@bearing/contracts/routes'
import type { CallInput, CallOutput } from './call-types.js'
import type { BearingClient } from './client.js'
import { ProblemError, UnexpectedReplyError, UnreachableError } from './errors.js'
import { sleep } from './signals.js'

const ATTEMPTS = 6
const FIRST_WAIT_MS = 250
/** Maximum `Retry-After` of a gateway: the window of a rate limit. */
const MAX_WAIT_MS = 60_000

/**
 * Retries an idempotent operation while the server is busy or unavailable: up to 6 times, with the delay of `Retry-After`,
 * or else with backoff from 0.25 s.
 *
 * @param signal aborts the delay
 * @throws the error of the last attempt
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
      await sleep(waitMs(error, failures), signal)
    }
  }
}

/** Calls a route that shows a secret once, as {@link retryTransient}: a call whose reply was lost is not made again, but receives its secret. */
export function retryForSecret<Name extends RouteName>(
  signal: AbortSignal,
  client: BearingClient,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const idempotencyKey = crypto.randomUUID()
  return retryTransient(signal, () => client.call(name, input, { idempotencyKey }))
}

/** Returns whether an error may be temporary: the server is busy or unavailable. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnreachableError) return true
  // Replies of a proxy or a storage whose upstream is unavailable.
  if (error instanceof UnexpectedReplyError) return [500, 502, 503, 504].includes(error.status)
  return (
    (error instanceof ProblemError || error instanceof OperationError) && [429, 503].includes(error.status)
  )
}

/** Returns the delay after an error, in milliseconds. @param failures from 1 */
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
