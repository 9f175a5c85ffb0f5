import { HOUR_MS } from '@bearing/contracts/durations'
import { BUCKETS, bucketOf } from '@bearing/contracts/histogram'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { LOOKUP_OUTCOMES, type LookupOutcome } from '@bearing/contracts/usage'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import type { Scope } from '../../ground/scope.js'

/** Between two writes, in milliseconds: a killed process loses the counts of this time. */
const INTERVAL_MS = 2_000
/** Projects between two writes; look-ups of more are not counted. */
const MAX_PROJECTS = 50_000
/** Rows of one statement. */
const BATCH = 1_000

/** Look-ups of a project in an hour. */
interface Counter extends Record<LookupOutcome, number> {
  readonly organization_id: string
  readonly project_id: string
  /** Hours since 1970. */
  readonly hour: number
  /** Positions by radius. */
  readonly radii: number[]
}

/** Counts look-ups by project, hour, outcome and radius. A look-up only pays for memory. */
@Injectable()
export class LookupCounts extends BackgroundJob {
  /** By project, of the hour that is in progress. */
  private counters = new Map<string, Counter>()
  /** Hours since 1970 of the counters. */
  private hour = 0
  /** Counts that are written next, by project and hour. */
  private readonly pending = new Map<string, Counter>()
  /** Since the process started. */
  private readonly totals: Record<LookupOutcome, number> = { found: 0, fallback: 0, not_found: 0, refused: 0 }

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    metrics: Metrics,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.write(),
      logger,
      failure: 'counts of look-ups cannot be written; retrying',
    })
    metrics.totals('bearing_lookups_total', 'Look-ups of positions, by outcome.', ['outcome'], this.totals)
  }

  /**
   * Counts a look-up.
   *
   * @param radius of the position that was found, in meters
   */
  add({ organization_id, project_id }: Scope, outcome: LookupOutcome, radius?: number): void {
    this.totals[outcome]++
    const hour = Math.floor(this.clock.nowMs() / HOUR_MS)
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

  /**
   * Writes all counts, without those of erased organizations and projects. Rows are in the order of the key, against deadlocks
   * between processes.
   */
  async write(): Promise<void> {
    // Counters continue to count while an earlier write is repeated, so memory stays bounded.
    if (this.pending.size === 0) this.close()
    while (this.pending.size > 0) {
      const batch = [...this.pending].slice(0, BATCH)
      for (const [key] of batch) this.pending.delete(key)
      const rows = batch.map(([, counter]) => counter)
      try {
        await this.insert(rows)
      } catch (error) {
        for (const counter of rows) this.addPending(counter)
        throw error
      }
    }
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy()
    // The rest; the database is still open.
    await this.write().catch(() => undefined)
  }

  private async insert(rows: readonly Counter[]): Promise<void> {
    await this.database.$executeRaw`
      INSERT INTO lookup_hours AS stored (organization_id, project_id, hour, found, fallback, not_found, refused, radii)
      SELECT organization_id, project_id, to_timestamp(hour * 3600), found, fallback, not_found, refused, radii
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS counted (
        organization_id uuid, project_id uuid, hour bigint, found bigint, fallback bigint, not_found bigint,
        refused bigint, radii integer[]
      )
      WHERE NOT EXISTS (
        SELECT FROM erased_tenants erased
        WHERE erased.organization_id = counted.organization_id
          AND erased.project_id IN (counted.project_id, ${WHOLE_ORGANIZATION}::uuid))
      ORDER BY 1, 2, 3
      ON CONFLICT (organization_id, project_id, hour) DO UPDATE
      SET found = stored.found + excluded.found, fallback = stored.fallback + excluded.fallback,
          not_found = stored.not_found + excluded.not_found, refused = stored.refused + excluded.refused,
          radii = ARRAY(
            SELECT coalesce(before, 0) + coalesce(added, 0)
            FROM unnest(stored.radii, excluded.radii) WITH ORDINALITY AS bucket (before, added, position)
            ORDER BY position)`
  }

  private newCounter(organization_id: string, project_id: string): Counter | undefined {
    if (this.counters.size >= MAX_PROJECTS) return undefined
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

  private addPending(counter: Counter): void {
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
