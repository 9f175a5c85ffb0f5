import { BackgroundJob } from '@bearing/service/background-job'
import { Clock } from '@bearing/service/clock'
import { deleteBatch } from '@bearing/service/delete-batch'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 600_000
/** Longer than a transaction may take from a change to its commit: processes read changes a few seconds after that. */
const KEPT_MS = 6 * 3_600_000
/** Rows that one statement deletes. */
const BATCH = 5_000

export const DELETE_CHANGES = deleteBatch({
  table: 'layer_changes',
  key: ['id'],
  where: 'changed_at < $1::timestamptz',
  limit: BATCH,
})

/** Deletes old changes of layers. */
@Injectable()
export class SweepLayerChanges extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'old changes of layers cannot be deleted; retrying',
    })
  }

  async sweep(): Promise<void> {
    const before = new Date(this.clock.nowMs() - KEPT_MS)
    await this.inBatches(BATCH, () => this.database.$executeRawUnsafe(DELETE_CHANGES, before))
  }
}
