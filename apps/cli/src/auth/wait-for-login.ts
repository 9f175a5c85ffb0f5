import type { BearingClient } from '@bearing/client/client'
import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import { sleep } from '@bearing/client/signals'
import { isTransient } from '../retry-transient.js'
import { UsageError } from '../usage-error.js'

/** The longest wait between two polls, in seconds. */
const MAX_WAIT_S = 60

/**
 * Polls until the login was allowed, as RFC 8628 §3.5 says: longer waits if the server asks for them, or if it does not answer.
 *
 * @param signal ends the wait
 * @throws ProblemError if it was denied or has expired; UsageError if it expires while the server does not answer
 */
export async function waitForLogin(
  client: BearingClient,
  { device_code, interval, expires_in }: CallOutput<'requestLogin'>,
  signal: AbortSignal,
): Promise<CallOutput<'exchangeLogin'>> {
  const endMs = performance.now() + expires_in * 1_000
  let waitS = interval
  while (performance.now() + waitS * 1_000 < endMs) {
    await sleep(waitS * 1_000, signal)
    try {
      return await client.call('exchangeLogin', { device_code })
    } catch (error) {
      if (error instanceof ProblemError && ['authorization_pending', 'slow_down'].includes(error.code))
        waitS = Math.max(waitS, error.retryAfter ?? interval)
      else if (isTransient(error)) waitS = Math.min(2 * waitS, MAX_WAIT_S)
      else throw error
    }
  }
  throw new UsageError('The login has expired: it was not allowed in time.', 'Run "bearing login" again.')
}
