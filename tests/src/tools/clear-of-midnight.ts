import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '@bearing/contracts/durations'

/** Longer than a test of what is counted by day takes on a busy machine, in milliseconds. */
const NEAR_MS = 60_000

/** Waits until the next day (UTC) where this one ends soon, for tests of what is counted again every day. */
export async function clearOfMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS)
  // Another process may read the clock a moment later.
  if (left < NEAR_MS) await sleep(left + 1_000)
}
