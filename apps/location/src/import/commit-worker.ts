import type { Logger } from '@bearing/service/logger'
import type { OutboxRelay } from '@bearing/service/outbox-relay'
import { databaseUnavailable } from '@bearing/service/unavailable'
import { warnSeldom } from '@bearing/service/warn-seldom'
import type pg from 'pg'
import { ImportFailure, commitNextImport, type CommitContext } from './commit-transaction.js'
import { ImportRests } from './import-backoff.js'

/** How often it looks for imports to commit, in milliseconds: those that another process left behind. */
const LOOK_MS = 1_000
/** How often it looks for imports that were left open, in milliseconds. */
const SWEEP_MS = 600_000
/** How long an import may be left open after its last batch. */
const KEPT_OPEN = '1 day'

const FAILURE =
  'The rows could not be taken over; nothing has changed. Begin the import again, and if it fails again, tell the operator its id.'

/** A connection that is lost between two statements says so, and would end the process; the next statement fails. */
function ignoreLostConnection(): void {
  // Nothing to do before that.
}

/**
 * Commits imports, one at a time, in every process of the service: each import is locked by the one that works on it, and
 * is found by the others when that one is gone. Also forgets imports that were left open.
 */
export class CommitWorker {
  private timers: NodeJS.Timeout[] = []
  private running: Promise<void> | undefined
  private again = false
  private stopped = false
  private client: pg.PoolClient | undefined
  private readonly hindered: (error: unknown) => void
  private readonly rests: ImportRests

  constructor(
    private readonly pool: pg.Pool,
    private readonly relay: OutboxRelay,
    private readonly logger: Logger,
    private readonly context: CommitContext,
  ) {
    this.hindered = warnSeldom(logger, 'imports cannot be committed at the moment; trying again')
    this.rests = new ImportRests(context.now)
  }

  /** Begins to look for work. */
  start(): void {
    const look = setInterval(() => {
      this.kick()
    }, LOOK_MS)
    const sweep = setInterval(() => void this.sweep(), SWEEP_MS)
    this.timers = [look, sweep]
    void this.sweep()
  }

  /** Looks for work now. */
  kick(): void {
    if (this.stopped) return
    this.again = true
    this.running ??= this.run().finally(() => {
      this.running = undefined
    })
  }

  /** Drops what is under way, to be taken up by another process, and stops. */
  async stop(): Promise<void> {
    this.stopped = true
    for (const timer of this.timers) clearInterval(timer)
    // A commit may take minutes. Postgres notices within a second that nobody waits for it any more.
    this.client?.release(true)
    this.client = undefined
    await this.running
  }

  private async run(): Promise<void> {
    while (this.shallLook()) {
      this.again = false
      try {
        // There may be more: a kick tells of one import, and a look finds the first of many.
        if (await this.commitNext()) this.again = true
      } catch (error) {
        await this.failed(error)
      }
    }
  }

  private shallLook(): boolean {
    return this.again && !this.stopped
  }

  /** @returns whether there was something to commit */
  private async commitNext(): Promise<boolean> {
    const client = await this.pool.connect()
    client.on('error', ignoreLostConnection)
    this.client = client
    let event
    try {
      event = await commitNextImport(client, this.pool, this.context, this.rests.resting())
      this.release()
    } catch (error) {
      this.release(true)
      throw error
    }
    if (!event) return false
    this.logger.info({ event: event.id }, 'an import was committed')
    await this.relay.published([event])
    return true
  }

  private release(destroy = false): void {
    this.client?.off('error', ignoreLostConnection)
    this.client?.release(destroy)
    this.client = undefined
  }

  private async failed(error: unknown): Promise<void> {
    if (this.stopped) return
    const isPassing = databaseUnavailable(error) !== undefined
    if (!(error instanceof ImportFailure) || isPassing) {
      this.hindered(error)
      // All that it has read was in vain: others go first, and there may be some.
      if (error instanceof ImportFailure) {
        this.rests.failed(error.importId)
        this.again = true
      }
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
      this.again = true
    } catch (cause) {
      this.logger.warn({ err: cause }, 'a failed import could not be noted; trying it again')
      this.rests.failed(error.importId)
    }
  }

  private async sweep(): Promise<void> {
    try {
      await this.pool.query(
        `DELETE FROM imports WHERE state = 'open' AND created_at < $1::timestamptz - $2::interval AND NOT EXISTS (
           SELECT FROM import_batches WHERE import_id = imports.id AND stored_at >= $1::timestamptz - $2::interval
         )`,
        [this.context.now(), KEPT_OPEN],
      )
    } catch (error) {
      this.logger.warn({ err: error }, 'imports that were left open could not be removed; trying again')
    }
  }
}
