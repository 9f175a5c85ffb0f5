import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Pools } from '../ground/database.js'

/** Interval between searches for abandoned imports, in milliseconds. */
const SWEEP_MS = 600_000
/** Time that an import may stay open after its last batch. */
const KEPT_OPEN = '1 day'

/** Deletes imports that were left open. */
@Injectable()
export class SweepOpenImports extends BackgroundJob {
  constructor(pools: Pools, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super({
      intervalMs: SWEEP_MS,
      run: () =>
        pools.commit.query(
          `DELETE FROM imports WHERE state = 'open' AND created_at < $1::timestamptz - $2::interval AND NOT EXISTS (
             SELECT FROM import_batches WHERE import_id = imports.id AND stored_at >= $1::timestamptz - $2::interval
           )`,
          [clock.now(), KEPT_OPEN],
        ),
      logger,
      failure: 'Imports that were left open could not be deleted. Retrying in ten minutes.',
    })
  }
}
