import { setTimeout as sleep } from 'node:timers/promises'

/** Time limit and pauses of {@link eventually}. */
export interface Patience {
  /**
   * In milliseconds (default: 20,000): longer than a busy machine takes for an event, and shorter than the time for which a
   * gateway caches a credential.
   */
  readonly withinMs?: number
  /** Pause between attempts, in milliseconds (default: 10). */
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
