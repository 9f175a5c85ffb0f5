import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Transactions } from '@bearing/service/store/transactions'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { Pools } from '../ground/database.js'
import { sweepInTurns } from './sweep-turns.js'

/** Interval between searches for tombstones that another process did not sweep, in milliseconds. */
const LOOK_MS = 5_000
const FAILURE = 'Erased data cannot be removed from storage. Retrying every few seconds.'

/** Removes erased data from storage. Each layer is swept by one process; if it dies, another one starts again. */
@Injectable()
export class SweepWorker extends BackgroundJob {
  constructor(pools: Pools, transactions: Transactions, clock: Clock, @Inject(LOGGER) logger: Logger) {
    const failed = warnSeldom(logger, FAILURE)
    const context = { now: () => clock.now(), transactions }
    super({
      intervalMs: LOOK_MS,
      run: () => sweepInTurns(pools.commit, context, () => this.isStopping, failed),
      logger,
      failure: FAILURE,
    })
  }
}
