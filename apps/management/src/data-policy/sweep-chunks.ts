import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { Database } from '../database.js'

/** Chunks that one statement deletes: the transaction stays short, and others get on. */
const BATCH = 1_000
/** Batches of one sweep: what is left is for the next one. */
const BATCHES = 100
const DAY_MS = 24 * 3600 * 1_000

/** Deletes chunks that are older than their project keeps them. Several processes do no harm to each other. */
export class SweepChunks {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Begins to sweep, once in so many milliseconds. */
  start(intervalMs: number): void {
    this.timer ??= setInterval(() => {
      this.running ??= this.sweepQuietly().finally(() => {
        this.running = undefined
      })
    }, intervalMs)
  }

  /** Stops, after what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.running
  }

  /**
   * One sweep.
   *
   * @returns how many chunks are gone
   */
  async sweep(): Promise<number> {
    const policies = await this.database.dataPolicy.findMany({
      where: { retentionDays: { not: null } },
      select: { projectId: true, retentionDays: true },
    })
    let batches = 0
    let gone = 0
    for (const { projectId, retentionDays } of policies) {
      const until = new Date(this.clock.now().getTime() - (retentionDays ?? 0) * DAY_MS)
      let some: number
      do {
        if (batches++ >= BATCHES) return gone
        some = await this.database.$executeRaw`
          DELETE FROM chunks WHERE id IN (
            SELECT id FROM chunks
            WHERE project_id = ${projectId}::uuid AND received_at < ${until}::timestamptz
            ORDER BY received_at
            LIMIT ${BATCH}::integer
            FOR UPDATE SKIP LOCKED
          )`
        gone += some
      } while (some === BATCH)
    }
    return gone
  }

  private async sweepQuietly(): Promise<void> {
    try {
      const chunks = await this.sweep()
      if (chunks > 0) this.logger.info({ chunks }, 'chunks were deleted, as old as their projects keep them')
    } catch (error) {
      this.logger.warn({ err: error }, 'old chunks could not be deleted; trying again later')
    }
  }
}
