import { LRUCache } from 'lru-cache'

/** How long an import rests after it could not be committed: each time twice as long, in milliseconds. */
const REST_MS = { least: 1_000, most: 60_000 }
/** Imports that are remembered; more never fail at a time. */
const MOST = 1_000

/** Imports that could not be committed at the moment, and until when they are left alone: others go first meanwhile. */
export class ImportRests {
  private readonly rests = new LRUCache<string, { failures: number; untilMs: number }>({ max: MOST })

  /** @param now the time, by any clock */
  constructor(private readonly now: () => Date) {}

  /** Notes that an import could not be committed. */
  failed(id: string): void {
    const failures = (this.rests.get(id)?.failures ?? 0) + 1
    const restMs = Math.min(REST_MS.most, REST_MS.least * 2 ** (failures - 1))
    this.rests.set(id, { failures, untilMs: this.now().getTime() + restMs })
  }

  /** The ids of those that rest. */
  resting(): string[] {
    const nowMs = this.now().getTime()
    return [...this.rests.entries()].flatMap(([id, { untilMs }]) => (untilMs > nowMs ? id : []))
  }
}
