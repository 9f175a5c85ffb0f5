import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Database } from '../../ground/database.js'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { SWEEP_INTERVAL_MS } from '../../ground/sweep-interval.js'

/**
 * Days for which partitions exist in advance. A backup can lock the table for hours; meanwhile none can be created. Chunks without
 * a partition are stored in the default one.
 */
const DAYS_AHEAD = 7

/** Creates the partitions of chunks. Any number of processes may run it: a lock lets one create at a time. */
@Injectable()
export class CreateChunkDays extends BackgroundJob {
  constructor(
    @Inject(Database) private readonly database: Pick<Database, '$queryRaw'>,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_INTERVAL_MS,
      run: () => this.createAll(),
      logger,
      failure: 'partitions of chunks cannot be created; retrying',
    })
  }

  /** One statement for each partition, so that none is locked for long. */
  async createAll(): Promise<void> {
    for (;;) {
      const [created] = await this.database.$queryRaw<{ name: string; moved: bigint }[]>`
        SELECT name, moved FROM create_chunk_day(${this.clock.now()}::timestamptz, ${DAYS_AHEAD}::integer)`
      if (!created) return
      const { name, moved } = created
      if (moved > 0n)
        this.logger.warn(
          { partition: name, chunks: Number(moved) },
          'chunks of a day without a partition were moved to a new one',
        )
    }
  }
}
