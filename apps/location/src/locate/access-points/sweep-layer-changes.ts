import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { type OldRows, SweepOldRows } from '@bearing/service/store/sweep-old-rows'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 600_000
/** Longer than a transaction may take from a change to its commit: processes read changes a few seconds after that. */
const KEPT_MS = 6 * 3_600_000

export const OLD_CHANGES: OldRows = {
  table: 'layer_changes',
  key: ['id'],
  where: 'changed_at < $1::timestamptz',
  keptMs: KEPT_MS,
}

/** Deletes old changes of layers. */
@Injectable()
export class SweepLayerChanges extends SweepOldRows {
  constructor(database: Database, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super(
      { database, clock, logger },
      { what: 'old changes of layers', intervalMs: INTERVAL_MS, rows: [OLD_CHANGES] },
    )
  }
}
