import { DAY_MS } from '@bearing/contracts/durations'
import { USAGE_DAYS } from '@bearing/contracts/counts/usage'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { type OldRows, SweepOldRows } from '@bearing/service/store/sweep-old-rows'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 3_600_000

export const OLD_COUNTS = [
  {
    table: 'request_usage',
    key: ['organization_id', 'day', 'kind', 'credential_id'],
    where: 'day < $1::date',
    keptMs: USAGE_DAYS * DAY_MS,
  },
  { table: 'request_usage_reports', key: ['id'], where: 'at < $1::timestamptz', keptMs: DAY_MS },
] as const satisfies OldRows[]

/** Deletes counts of requests after {@link USAGE_DAYS} days, and the ids of reports after a day. */
@Injectable()
export class SweepRequestUsage extends SweepOldRows {
  constructor(database: Database, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super(
      { database, clock, logger },
      { what: 'old counts of requests', intervalMs: INTERVAL_MS, rows: OLD_COUNTS },
    )
  }
}
