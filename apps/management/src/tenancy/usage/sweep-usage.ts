import { DAY_MS } from '@bearing/contracts/durations'
import { USAGE_DAYS } from '@bearing/contracts/counts/usage'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import { deleteBatch } from '@bearing/service/store/delete-batch'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 3_600_000
/** Rows that one statement deletes. */
const BATCH = 5_000

export const DELETE_COUNTS = deleteBatch({
  table: 'project_usage',
  key: ['project_id', 'day'],
  // As long as a day has a partition of its own, its row says what dropping that deletes.
  where: `day < $1::date AND day > 'epoch'::date
    AND NOT EXISTS (SELECT FROM chunk_days WHERE first = day::timestamp AT TIME ZONE 'UTC')`,
  limit: BATCH,
})
/** Adds deleted rows to the row of 1970-01-01, so that the sum of a project stays what is stored. */
const FOLD_COUNTS = `
  WITH old AS (
    ${DELETE_COUNTS} RETURNING gone.project_id, gone.bytes - gone.deleted_bytes AS bytes
  ), folded AS (
    INSERT INTO project_usage (project_id, day, bytes)
    SELECT project_id, 'epoch'::date, sum(bytes) FROM old GROUP BY 1 ORDER BY 1
    ON CONFLICT (project_id, day) DO UPDATE SET bytes = project_usage.bytes + excluded.bytes
  )
  SELECT count(*) AS deleted FROM old`

export const DELETE_HOURS = deleteBatch({
  table: 'project_hours',
  key: ['project_id', 'hour'],
  where: 'hour < $1::timestamptz',
  limit: BATCH,
})

/** Deletes counts of chunks after {@link USAGE_DAYS} days, and expired reservations of slugs. */
@Injectable()
export class SweepUsage extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'old counts of chunks and expired slugs cannot be deleted; retrying',
    })
  }

  async sweep(): Promise<void> {
    const now = this.clock.now()
    const before = new Date(now.getTime() - USAGE_DAYS * DAY_MS)
    await this.inBatches(BATCH, () => this.foldSome(before))
    await this.inBatches(BATCH, () => this.database.$executeRawUnsafe(DELETE_HOURS, before))
    await this.database.reservedSlug.deleteMany({ where: { expiresAt: { lte: now } } })
  }

  private async foldSome(before: Date): Promise<number> {
    const [row] = await this.database.$queryRawUnsafe<{ deleted: bigint }[]>(FOLD_COUNTS, before)
    return Number(row?.deleted ?? 0)
  }
}
