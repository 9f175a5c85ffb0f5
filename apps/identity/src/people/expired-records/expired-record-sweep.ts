import { BackgroundJob } from '@bearing/service/background-job'
import { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 60_000
/** Rows of a table deleted in one run. */
const BATCH = 1_000
/** How long the devices of an hour are kept after its beginning, in milliseconds: 25 hours. */
const SKETCHES_KEPT_MS = 90_000_000
/** How long expired rows are kept, in milliseconds, so that their users learn that they have expired. */
const KEPT_MS = 86_400_000

/**
 * Deletes sessions that expired a day ago, logins that have expired, authenticators that were not confirmed within a day, and the devices of project
 * keys by hour. They were of no use anymore, so no event is needed.
 */
@Injectable()
export class ExpiredRecordSweep extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'Expired records could not be deleted. Retrying.',
    })
  }

  /** Deletes one batch of each. */
  async sweep(): Promise<void> {
    const since = new Date(this.clock.nowMs() - KEPT_MS)
    await this.database.$executeRaw`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE ends_at <= ${since} ORDER BY ends_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
    await this.database.$executeRaw`
      DELETE FROM totps WHERE user_id IN (
        SELECT user_id FROM totps WHERE confirmed_at IS NULL AND created_at <= ${since}
        ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
    await this.database.$executeRaw`
      DELETE FROM login_requests WHERE id IN (
        SELECT id FROM login_requests WHERE expires_at <= ${this.clock.now()}
        ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
    const sketched = new Date(this.clock.nowMs() - SKETCHES_KEPT_MS)
    await this.database.$executeRaw`
      DELETE FROM project_key_devices WHERE (key_id, hour) IN (
        SELECT key_id, hour FROM project_key_devices WHERE hour <= ${sketched}
        ORDER BY hour LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
  }
}
