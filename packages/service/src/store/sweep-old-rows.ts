import { BackgroundJob } from '../work/background-job.js'
import type { Clock } from '../ground/clock.js'
import { deleteBatch, type RowBatch } from './delete-batch.js'
import type { Logger } from '../observe/logger.js'

/** Rows that one statement deletes: few enough that others do not wait for them. */
const BATCH = 5_000

/** The old rows of a table. All of it is constants of the code, never input. */
export interface OldRows extends Pick<RowBatch, 'table' | 'key'> {
  /** Condition of the rows. `$1` is the moment `keptMs` ago, as in `created_at < $1::timestamptz`. */
  readonly where: string
  /** Time for which they are kept, in milliseconds. */
  readonly keptMs: number
}

/** The parts that a {@link SweepOldRows} works with. */
interface Ground {
  readonly database: { $executeRawUnsafe(statement: string, before: Date): Promise<number> }
  readonly clock: Pick<Clock, 'nowMs'>
  readonly logger: Logger
}

/** Options of a {@link SweepOldRows}. */
interface Sweep {
  /** Name of the rows in the log message of a failed run, as in `old counts of look-ups`. */
  readonly what: string
  readonly intervalMs: number
  readonly rows: readonly OldRows[]
}

/** Returns the statement that deletes some old rows: `$1` is the moment `keptMs` ago. */
export const deleteOldRows = ({ table, key, where }: OldRows): string =>
  deleteBatch({ table, key, where, limit: BATCH })

/** Deletes rows when they are old, at an interval. Any number of processes may run it. */
export class SweepOldRows extends BackgroundJob {
  constructor(
    private readonly ground: Ground,
    private readonly swept: Sweep,
  ) {
    super({
      intervalMs: swept.intervalMs,
      run: () => this.sweep(),
      logger: ground.logger,
      failure: `${swept.what} cannot be deleted; retrying`,
    })
  }

  /** Deletes all that is old now, table by table, unless the process stops. */
  async sweep(): Promise<void> {
    const { database, clock } = this.ground
    const nowMs = clock.nowMs()
    for (const rows of this.swept.rows) {
      const statement = deleteOldRows(rows)
      const before = new Date(nowMs - rows.keptMs)
      await this.inBatches(BATCH, () => database.$executeRawUnsafe(statement, before))
    }
  }
}
