import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'

/** Chunks that one statement deletes: the transaction stays short, and others get on. */
const BATCH = 1_000
const DAY_MS = 24 * 3600 * 1_000

/** Deletes chunks that are older than their project keeps them. Several processes do no harm to each other. */
export class SweepChunks extends BackgroundJob {
  constructor(
    private readonly database: Pick<Database, 'dataPolicy' | '$executeRaw'>,
    private readonly clock: Clock,
    logger: Logger,
    everyMs: number,
    private readonly batch = BATCH,
  ) {
    super({
      intervalMs: everyMs,
      run: async () => {
        const chunks = await this.sweep()
        if (chunks > 0) logger.info({ chunks }, 'chunks were deleted, as old as their projects keep them')
      },
      logger,
      failure: 'old chunks could not be deleted; trying again later',
    })
  }

  /**
   * One sweep: a batch of each project, and again of those that have more, so that none waits for another to be done. It ends when
   * nothing is left: a fleet may send more between two sweeps than any number of batches.
   *
   * @returns how many chunks are gone
   */
  async sweep(): Promise<number> {
    const policies = await this.database.dataPolicy.findMany({
      where: { retentionDays: { not: null } },
      select: { projectId: true, retentionDays: true },
    })
    const now = this.clock.now().getTime()
    let gone = 0
    let left = policies.map(({ projectId, retentionDays }) => ({
      projectId,
      until: new Date(now - (retentionDays ?? 0) * DAY_MS),
    }))
    while (left.length > 0) {
      const more: typeof left = []
      for (const one of left) {
        if (this.isStopping) return gone
        const some = await this.deleteSome(one.projectId, one.until)
        gone += some
        if (some === this.batch) more.push(one)
      }
      left = more
    }
    return gone
  }

  private deleteSome(projectId: string, until: Date): Promise<number> {
    return this.database.$executeRaw`
      DELETE FROM chunks WHERE id IN (
        SELECT id FROM chunks
        WHERE project_id = ${projectId}::uuid AND received_at < ${until}::timestamptz
        ORDER BY received_at
        LIMIT ${this.batch}::integer
        FOR UPDATE SKIP LOCKED
      )`
  }
}
