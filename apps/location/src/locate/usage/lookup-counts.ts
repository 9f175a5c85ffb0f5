import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import type { LookupOutcome } from '@bearing/contracts/counts/usage'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { LookupCounters, type LookupHour } from '@bearing/service/work/lookup-counters'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import type { Scope } from '../../ground/scope.js'

/** Between two writes, in milliseconds: a killed process loses the counts of this time. */
const INTERVAL_MS = 2_000
/** Projects between two writes; look-ups of more are not counted. */
const MAX_PROJECTS = 50_000
/** Rows of one statement. */
const BATCH = 1_000

/** Counts look-ups by project, hour, outcome and radius. A look-up only pays for memory. */
@Injectable()
export class LookupCounts extends BackgroundJob {
  private readonly counters = new LookupCounters(MAX_PROJECTS)
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
  add(scope: Scope, outcome: LookupOutcome, radius?: number): void {
    this.totals[outcome]++
    this.counters.add(scope, outcome, radius, this.clock.nowMs())
  }

  /**
   * Writes all counts, without those of erased organizations and projects. Rows are in the order of the key, against deadlocks
   * between processes.
   */
  async write(): Promise<void> {
    do {
      const rows = this.counters.take(BATCH)
      if (rows.length === 0) return
      try {
        await this.insert(rows)
      } catch (error) {
        this.counters.putBack(rows)
        throw error
      }
    } while (this.counters.isPending)
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy()
    // The rest; the database is still open.
    await this.write().catch(() => undefined)
  }

  private async insert(rows: readonly LookupHour[]): Promise<void> {
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
}
