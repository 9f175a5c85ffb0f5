import { DAY_MS } from '@bearing/contracts/durations'
import { USAGE_DAYS } from '@bearing/contracts/counts/usage'
import { Clock } from '@bearing/service/ground/clock'
import { OLD_CALLS } from '@bearing/service/store/idempotent-calls'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { type OldRows, SweepOldRows } from '@bearing/service/store/sweep-old-rows'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../ground/database.js'

const INTERVAL_MS = 60_000

/** Deliveries are kept for 14 days, also those of a paused webhook. */
export const OLD_DELIVERIES: OldRows = {
  table: 'webhook_deliveries',
  key: ['id'],
  where: 'created_at < $1::timestamptz',
  keptMs: 14 * DAY_MS,
}

export const OLD_HOURS: OldRows = {
  table: 'webhook_hours',
  key: ['webhook_id', 'hour'],
  where: 'hour < $1::timestamptz',
  keptMs: USAGE_DAYS * DAY_MS,
}

/** Deletes old deliveries, old counts of attempts, and old replies to calls with an `Idempotency-Key`. */
@Injectable()
export class SweepDeliveries extends SweepOldRows {
  constructor(database: Database, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super(
      { database, clock, logger },
      {
        what: 'old deliveries to webhooks',
        intervalMs: INTERVAL_MS,
        rows: [OLD_DELIVERIES, OLD_HOURS, OLD_CALLS],
      },
    )
  }
}
