import { DAY_MS } from '@bearing/contracts/durations'
import { USAGE_DAYS } from '@bearing/contracts/counts/usage'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { type OldRows, SweepOldRows } from '@bearing/service/store/sweep-old-rows'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 3_600_000

export const OLD_COUNTS: OldRows = {
  table: 'lookup_hours',
  key: ['organization_id', 'project_id', 'hour'],
  where: 'hour < $1::timestamptz',
  keptMs: USAGE_DAYS * DAY_MS,
}

/** Deletes counts of look-ups after {@link USAGE_DAYS} days. */
@Injectable()
export class SweepLookupUsage extends SweepOldRows {
  constructor(database: Database, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super(
      { database, clock, logger },
      { what: 'old counts of look-ups', intervalMs: INTERVAL_MS, rows: [OLD_COUNTS] },
    )
  }
}
