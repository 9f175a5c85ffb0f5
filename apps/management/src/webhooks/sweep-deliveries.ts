import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../ground/database.js'

/** How long deliveries are shown, and kept for a webhook that is paused: 14 days, in milliseconds. */
const KEPT_MS = 14 * 24 * 3_600_000
const EVERY_MS = 60_000
const BATCH = 5_000
/** Batches of one sweep: more than any process delivers in between. */
const BATCHES = 100

/** Deletes old deliveries. Several processes do no harm to each other. */
export class SweepDeliveries extends BackgroundJob {
  constructor(database: Database, clock: Clock, logger: Logger) {
    super({
      intervalMs: EVERY_MS,
      run: async () => {
        const until = new Date(clock.nowMs() - KEPT_MS)
        for (
          let batches = 0, gone = BATCH;
          gone === BATCH && batches < BATCHES && !this.isStopping;
          batches++
        )
          gone = await database.$executeRaw`
          DELETE FROM webhook_deliveries WHERE id IN (
            SELECT id FROM webhook_deliveries WHERE created_at < ${until}::timestamptz
            ORDER BY created_at LIMIT ${BATCH}::integer FOR UPDATE SKIP LOCKED
          )`
      },
      logger,
      failure: 'old deliveries to webhooks could not be deleted; trying again later',
    })
  }
}
