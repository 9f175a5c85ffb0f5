import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type pg from 'pg'

/** How often it is looked for what is too old, in milliseconds. */
const SWEEP_MS = 600_000
/** Positions that one statement deletes: it stays short. */
const AT_ONCE = 5_000
/** Statements of one sweep, after which no further round begins: what is left is for the next one. */
const STATEMENTS = 200

const POLICIES =
  'SELECT project_id, organization_id, retention_days FROM position_policies ORDER BY project_id'

/** Several processes do no harm to each other. Rows never change: none comes to lie where one lies while this runs. */
const DELETE = `
  DELETE FROM device_positions WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM device_positions
    WHERE project_id = $1 AND organization_id = $2 AND at < $3::timestamptz - make_interval(days => $4)
    ORDER BY at LIMIT $5 FOR UPDATE SKIP LOCKED
  ))`

interface Policy {
  readonly project_id: string
  readonly organization_id: string
  readonly retention_days: number
}

/** Deletes positions of devices that are older than their project keeps them. */
export class SweepPositions {
  private readonly repeating: BackgroundJob
  private stopped = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    logger: Logger,
    private readonly sizes = { atOnce: AT_ONCE, statements: STATEMENTS },
  ) {
    this.repeating = new BackgroundJob({
      intervalMs: SWEEP_MS,
      run: async () => {
        const positions = await this.sweep()
        if (positions > 0)
          logger.info({ positions }, 'positions were deleted, as old as their projects keep them')
      },
      logger,
      failure: 'old positions could not be deleted; trying again later',
    })
  }

  /** Begins to look, now and every ten minutes. */
  start(): void {
    this.repeating.start()
  }

  /** Ends after what is under way. */
  async stop(): Promise<void> {
    this.stopped = true
    await this.repeating.stop()
  }

  /**
   * One sweep: some of each project, and again of those that have more, so that none waits for another to be done.
   *
   * @returns how many positions are gone
   */
  async sweep(): Promise<number> {
    const now = this.clock.now()
    let { rows: left } = await this.pool.query<Policy>(POLICIES)
    let gone = 0
    for (let statements = 0; left.length > 0 && statements < this.sizes.statements;) {
      const more: Policy[] = []
      for (const policy of left) {
        if (this.stopped) return gone
        const { project_id, organization_id, retention_days } = policy
        const values = [project_id, organization_id, now, retention_days, this.sizes.atOnce]
        const some = (await this.pool.query(DELETE, values)).rowCount ?? 0
        gone += some
        statements += some > 0 ? 1 : 0
        if (some === this.sizes.atOnce) more.push(policy)
      }
      left = more
    }
    return gone
  }
}
