import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Transactions } from '@bearing/service/store/transactions'
import { databaseUnavailable } from '@bearing/service/ground/unavailable'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import type { Settings } from '../config.js'
import { Pools } from '../ground/database.js'
import { ImportFailure, commitNextImport, type CommitContext } from './commit-transaction.js'
import { ImportBackoff } from './import-backoff.js'

/** Interval between searches for imports that another process left behind, in milliseconds. */
const LOOK_MS = 1_000
const HINDERED = 'Imports cannot be committed. Retrying.'
const FAILURE =
  'The rows could not be imported; nothing has changed. Begin the import again. If it fails again, report its id to the operator.'

/** The next statement reports a lost connection. Without a listener the process would end. */
function ignoreLostConnection(): void {
  // Nothing to do before that.
}

/** Commits imports, one at a time in every process. An import is locked by the process that works on it. */
@Injectable()
export class CommitWorker extends BackgroundJob {
  private client: pg.PoolClient | undefined
  private readonly pool: pg.Pool
  private readonly context: CommitContext
  private readonly hindered: (error: unknown) => void
  private readonly backoff: ImportBackoff

  constructor(
    pools: Pools,
    transactions: Transactions,
    clock: Clock,
    @Inject(SETTINGS) settings: Pick<Settings, 'LOCATION_COMMIT_ACCESS_POINTS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ intervalMs: LOOK_MS, run: () => this.commitAll(), logger, failure: HINDERED })
    this.pool = pools.commit
    this.context = {
      mostGathered: settings.LOCATION_COMMIT_ACCESS_POINTS,
      now: () => clock.now(),
      transactions,
    }
    this.hindered = warnSeldom(logger, HINDERED)
    this.backoff = new ImportBackoff(this.context.now)
  }

  /** Drops the commit under way, which may take minutes. Postgres notices within a second, and another process takes over. */
  override async stop(): Promise<void> {
    const stopped = super.stop()
    this.release(true)
    await stopped
  }

  private async commitAll(): Promise<void> {
    while (!this.isStopping)
      try {
        if (!(await this.commitNext())) return
      } catch (error) {
        if (!(error instanceof ImportFailure)) throw error
        await this.handleFailure(error)
      }
  }

  /** @returns whether there was an import to commit */
  private async commitNext(): Promise<boolean> {
    const client = await this.pool.connect()
    client.on('error', ignoreLostConnection)
    this.client = client
    let id
    try {
      id = await commitNextImport(client, this.pool, this.context, this.backoff.waiting())
      this.release()
    } catch (error) {
      this.release(true)
      throw error
    }
    if (id !== undefined) this.logger.info({ import_id: id }, 'an import was committed')
    return id !== undefined
  }

  private release(destroy = false): void {
    this.client?.off('error', ignoreLostConnection)
    this.client?.release(destroy)
    this.client = undefined
  }

  /** Others are committed first if the database was unavailable, because the import has to be read again. */
  private async handleFailure(error: ImportFailure): Promise<void> {
    // The connection was closed by `stop`.
    if (this.isStopping) return
    if (databaseUnavailable(error) !== undefined) {
      this.hindered(error)
      this.backoff.failed(error.importId)
      return
    }
    this.logger.error({ err: error, import_id: error.importId }, 'an import failed')
    try {
      await this.pool.query(
        `WITH failed AS (
           UPDATE imports SET state = 'failed', failure = $2, ended_at = $3
           WHERE id = $1 AND state = 'committing' RETURNING id
         ) DELETE FROM import_batches USING failed WHERE import_id = failed.id`,
        [error.importId, FAILURE, this.context.now()],
      )
    } catch (cause) {
      this.logger.warn({ err: cause }, 'A failed import could not be marked as failed. Retrying it.')
      this.backoff.failed(error.importId)
    }
  }
}
