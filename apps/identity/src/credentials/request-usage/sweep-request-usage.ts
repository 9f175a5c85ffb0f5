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

/** Deletes counts of requests after {@link USAGE_DAYS} days, and the ids of reports after a day. */
@Injectable()
export class SweepRequestUsage extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'old counts of requests cannot be deleted; retrying',
    })
  }

  async sweep(): Promise<void> {
    const nowMs = this.clock.nowMs()
    const before = new Date(nowMs - USAGE_DAYS * DAY_MS)
    const reportedBefore = new Date(nowMs - DAY_MS)
    await this.inBatches(
      BATCH,
      () => this.database.$executeRaw`
        DELETE FROM request_usage WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM request_usage WHERE day < ${before}::date LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
    )
    await this.inBatches(
      BATCH,
      () => this.database.$executeRaw`
        DELETE FROM request_usage_reports WHERE id IN (
          SELECT id FROM request_usage_reports WHERE at < ${reportedBefore}::timestamptz
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    )
  }
}
