import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'

/** How often it is looked for what has run out, in milliseconds. */
const EVERY_MS = 60_000
/** Rows of a table that go at once. What is left goes the next time. */
const BATCH = 1_000
/** How long what has run out is kept, in milliseconds: whoever comes back soon hears that it has. */
const KEPT_MS = 86_400_000

/**
 * Deletes what has run out and what nobody comes back to: sessions whose end came a day ago, and authenticators that were not
 * confirmed in a day. Nothing of it was good for anything any more, so nobody is told. Several processes do not meet at a row.
 */
export class SweepRunOut extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super({
      intervalMs: EVERY_MS,
      run: () => this.sweep(),
      logger,
      failure: 'what has run out will be deleted later',
    })
  }

  /** Deletes a batch of each. */
  async sweep(): Promise<void> {
    const since = new Date(this.clock.nowMs() - KEPT_MS)
    await this.database.$executeRaw`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE ends_at <= ${since} ORDER BY ends_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
    await this.database.$executeRaw`
      DELETE FROM totps WHERE user_id IN (
        SELECT user_id FROM totps WHERE confirmed_at IS NULL AND created_at <= ${since}
        ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
  }
}
