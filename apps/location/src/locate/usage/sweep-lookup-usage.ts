import { DAY_MS } from '@bearing/contracts/durations'
import { USAGE_DAYS } from '@bearing/contracts/usage'
import { BackgroundJob } from '@bearing/service/background-job'
import { Clock } from '@bearing/service/clock'
import { deleteBatch } from '@bearing/service/delete-batch'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 3_600_000
/** Rows that one statement deletes. */
const BATCH = 5_000

export const DELETE_COUNTS = deleteBatch({
  table: 'lookup_usage',
  key: ['organization_id', 'day', 'outcome'],
  where: 'day < $1::date',
  limit: BATCH,
})

/** Deletes counts of look-ups after {@link USAGE_DAYS} days. */
@Injectable()
export class SweepLookupUsage extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'old counts of look-ups cannot be deleted; retrying',
    })
  }

  async sweep(): Promise<void> {
    const before = new Date(this.clock.nowMs() - USAGE_DAYS * DAY_MS)
    await this.inBatches(BATCH, () => this.database.$executeRawUnsafe(DELETE_COUNTS, before))
  }
}
