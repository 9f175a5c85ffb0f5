import { USAGE_DAYS } from '@bearing/contracts/usage'
import { BackgroundJob } from '@bearing/service/background-job'
import { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 3_600_000
const DAY_MS = 24 * 3600 * 1_000
/** Rows that one statement deletes. */
const BATCH = 5_000

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
    await this.database.reservedSlug.deleteMany({ where: { expiresAt: { lte: now } } })
  }

  /** Adds deleted rows to the row of 1970-01-01, so that the sum of a project stays what is stored. */
  private async foldSome(before: Date): Promise<number> {
    const [row] = await this.database.$queryRaw<{ deleted: bigint }[]>`
      WITH old AS (
        DELETE FROM project_usage WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM project_usage
          WHERE day < ${before}::date AND day > 'epoch'::date
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
        RETURNING project_id, bytes - deleted_bytes AS bytes
      ), folded AS (
        INSERT INTO project_usage (project_id, day, bytes)
        SELECT project_id, 'epoch'::date, sum(bytes) FROM old GROUP BY 1 ORDER BY 1
        ON CONFLICT (project_id, day) DO UPDATE SET bytes = project_usage.bytes + excluded.bytes
      )
      SELECT count(*) AS deleted FROM old`
    return Number(row?.deleted ?? 0)
  }
}
