import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/clock'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../ground/database.js'

/** How long deliveries are kept, also those of a paused webhook: 14 days, in milliseconds. */
const RETENTION_MS = 14 * DAY_MS
const INTERVAL_MS = 60_000
const BATCH = 5_000
/** Batches of one sweep: more than a process delivers in the interval. */
const MAX_BATCHES = 100

/** Deletes old deliveries. Any number of processes may run it. */
@Injectable()
export class SweepDeliveries extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'old deliveries to webhooks cannot be deleted; retrying',
    })
  }

  private async sweep(): Promise<void> {
    const until = new Date(this.clock.nowMs() - RETENTION_MS)
    for (
      let batches = 0, deleted = BATCH;
      deleted === BATCH && batches < MAX_BATCHES && !this.isStopping;
      batches++
    )
      deleted = await this.database.$executeRaw`
        DELETE FROM webhook_deliveries WHERE id IN (
          SELECT id FROM webhook_deliveries WHERE created_at < ${until}::timestamptz
          ORDER BY created_at LIMIT ${BATCH}::integer FOR UPDATE SKIP LOCKED
        )`
  }
}
