import { backoffMs } from '@bearing/contracts/durations'
import { Cache } from '@bearing/client-nats/cache'

/** The delay before an import is retried. */
const DELAY = { firstMs: 1_000, maxMs: 60_000 }
/** Imports that can wait at a time. */
const MOST = 1_000

/** Imports to retry with backoff, so that others are committed first. */
export class ImportBackoff {
  private readonly delays = new Cache<{ failures: number; untilMs: number }>(MOST)

  constructor(private readonly now: () => Date) {}

  /** Records that an import could not be committed. */
  failed(id: string): void {
    const failures = (this.delays.get(id)?.failures ?? 0) + 1
    const delayMs = backoffMs(failures, DELAY)
    this.delays.set(id, { failures, untilMs: this.now().getTime() + delayMs })
  }

  /** Returns the ids of imports that wait. */
  waiting(): string[] {
    const nowMs = this.now().getTime()
    return [...this.delays.entries()].flatMap(([id, { untilMs }]) => (untilMs > nowMs ? id : []))
  }
}
