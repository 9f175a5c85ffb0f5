import { setTimeout as sleep } from 'node:timers/promises'

/** How long something that "becomes true" may take. */
export interface Patience {
  /**
   * In milliseconds; 20,000 unless given: more than a busy machine takes for an event, and less than the time after which a
   * gateway that has not heard of a revocation forgets by itself.
   */
  readonly withinMs?: number
  /** How often it is tried, in milliseconds; 10 unless given. */
  readonly everyMs?: number
}

/**
 * Tries until what is expected holds, and fails as the last try did where it does not in time.
 *
 * @returns what the successful try returned
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { withinMs = 20_000, everyMs = 10 }: Patience = {},
): Promise<Result> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() >= deadline) throw error
    }
    await sleep(everyMs)
  }
}
