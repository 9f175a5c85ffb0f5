import { HOUR_MS } from '@bearing/contracts/durations'
import { BUCKETS, bucketOf } from '@bearing/contracts/counts/histogram'
import { LOOKUP_OUTCOMES, type LookupOutcome } from '@bearing/contracts/counts/usage'

/** Look-ups of a project in an hour. */
export interface LookupHour extends Record<LookupOutcome, number> {
  readonly organization_id: string
  readonly project_id: string
  /** Hours since 1970. */
  readonly hour: number
  /** Positions by radius. */
  readonly radii: number[]
}

/**
 * Counts look-ups by project and hour in memory, until they are written. Apart from the service, so that `bench` measures what a
 * look-up pays.
 */
export class LookupCounters {
  /** By project, of the hour that is in progress. */
  private counters = new Map<string, LookupHour>()
  /** Hours since 1970 of the counters. */
  private hour = 0
  /** Counts that are written next, by project and hour. */
  private readonly pending = new Map<string, LookupHour>()

  /** @param most projects between two writes; look-ups of more are not counted */
  constructor(private readonly most: number) {}

  /**
   * Counts a look-up.
   *
   * @param radius of the position that was found, in meters
   */
  add(
    { organization_id, project_id }: { readonly organization_id: string; readonly project_id: string },
    outcome: LookupOutcome,
    radius: number | undefined,
    nowMs: number,
  ): void {
    const hour = Math.floor(nowMs / HOUR_MS)
    if (hour !== this.hour) {
      this.close()
      this.hour = hour
    }
    const counter = this.counters.get(project_id) ?? this.newCounter(organization_id, project_id)
    if (!counter) return
    counter[outcome]++
    if (radius === undefined) return
    const bucket = bucketOf(radius)
    counter.radii[bucket] = (counter.radii[bucket] ?? 0) + 1
  }

  /** Takes at most so many counts. Each project and hour is in them once. */
  take(most: number): readonly LookupHour[] {
    // Counters continue to count while an earlier write is repeated, so memory stays bounded.
    if (this.pending.size === 0) this.close()
    const batch = [...this.pending].slice(0, most)
    for (const [key] of batch) this.pending.delete(key)
    return batch.map(([, hour]) => hour)
  }

  /** Puts counts back that could not be written. */
  putBack(hours: readonly LookupHour[]): void {
    for (const hour of hours) this.addPending(hour)
  }

  /** True if closed counts wait to be written. */
  get isPending(): boolean {
    return this.pending.size > 0
  }

  private newCounter(organization_id: string, project_id: string): LookupHour | undefined {
    if (this.counters.size >= this.most) return undefined
    const radii = new Array<number>(BUCKETS).fill(0)
    const counts = { found: 0, fallback: 0, not_found: 0, refused: 0, radii }
    const counter = { organization_id, project_id, hour: this.hour, ...counts }
    this.counters.set(project_id, counter)
    return counter
  }

  private close(): void {
    for (const counter of this.counters.values()) this.addPending(counter)
    this.counters = new Map()
  }

  private addPending(counter: LookupHour): void {
    const key = `${counter.project_id} ${String(counter.hour)}`
    const before = this.pending.get(key)
    if (!before) {
      this.pending.set(key, counter)
      return
    }
    for (const outcome of LOOKUP_OUTCOMES) before[outcome] += counter[outcome]
    for (const [bucket, count] of counter.radii.entries())
      before.radii[bucket] = (before.radii[bucket] ?? 0) + count
  }
}
