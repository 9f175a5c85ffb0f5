import { DAY_MS } from '@bearing/contracts/durations'
import { dayOf, type LookupOutcome } from '@bearing/contracts/usage'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

/** Between two writes, in milliseconds: a killed process loses the counts of this time. */
const INTERVAL_MS = 10_000
/** Organizations between two writes; look-ups of more are not counted. */
const MAX_ORGANIZATIONS = 50_000
/** Rows of one statement. */
const BATCH = 2_000

interface Row {
  readonly organization_id: string
  readonly day: string
  readonly outcome: LookupOutcome
  count: number
}

type Counters = Map<string, Record<LookupOutcome, number>>

/** Counts look-ups by organization, day and outcome. A look-up only pays for memory. */
@Injectable()
export class LookupCounts extends BackgroundJob {
  private counters: Counters = new Map()
  /** Days since 1970 (UTC) of the counters. */
  private day = 0
  /** Counts that are not written yet. */
  private rows: Row[] = []

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.write(),
      logger,
      failure: 'counts of look-ups cannot be written; retrying',
    })
  }

  /** Counts a look-up. */
  add(organizationId: string, outcome: LookupOutcome): void {
    const day = Math.floor(this.clock.nowMs() / DAY_MS)
    if (day !== this.day) {
      this.close()
      this.day = day
    }
    const known = this.counters.get(organizationId)
    if (known) known[outcome]++
    else if (this.counters.size < MAX_ORGANIZATIONS)
      this.counters.set(organizationId, { found: 0, fallback: 0, not_found: 0, refused: 0, [outcome]: 1 })
  }

  /**
   * Writes all counts, without those of erased organizations. Rows are in the order of the key, against deadlocks between
   * processes.
   */
  async write(): Promise<void> {
    // Counters continue to count while an earlier write is repeated, so memory stays bounded.
    if (this.rows.length === 0) this.close()
    while (this.rows.length > 0) {
      const batch = this.rows.slice(0, BATCH)
      await this.database.$executeRaw`
        INSERT INTO lookup_usage (organization_id, day, outcome, count)
        SELECT counted.organization_id, day, outcome, sum(count) FROM json_to_recordset(${JSON.stringify(batch)}::json) AS counted (
          organization_id uuid, day date, outcome text, count bigint
        )
        WHERE NOT EXISTS (
          SELECT FROM erased_tenants erased
          WHERE erased.organization_id = counted.organization_id AND erased.project_id = ${WHOLE_ORGANIZATION}::uuid)
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (organization_id, day, outcome) DO UPDATE SET count = lookup_usage.count + excluded.count`
      this.rows = this.rows.slice(batch.length)
    }
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy()
    // The rest; the database is still open.
    await this.write().catch(() => undefined)
  }

  private close(): void {
    const day = dayOf(new Date(this.day * DAY_MS))
    for (const [organization_id, counts] of this.counters)
      for (const [outcome, count] of Object.entries(counts) as [LookupOutcome, number][])
        // its keys
        if (count > 0) this.rows.push({ organization_id, day, outcome, count })
    this.counters = new Map()
  }
}
