import { DAY_MS } from '@bearing/contracts/durations'
import type { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Database } from '../../ground/database.js'

/** Chunks that one statement deletes, so that transactions stay short. */
const BATCH = 1_000

/** Deletes chunks whose retention period is over. Any number of processes may run it. */
export class SweepChunks extends BackgroundJob {
  constructor(
    private readonly database: Pick<Database, 'dataPolicy' | '$queryRaw'>,
    private readonly clock: Clock,
    logger: Logger,
    intervalMs: number,
    private readonly batch = BATCH,
  ) {
    super({
      intervalMs,
      run: async () => {
        const chunks = await this.sweep()
        if (chunks > 0) logger.info({ chunks }, 'expired chunks were deleted')
      },
      logger,
      failure: 'expired chunks cannot be deleted; retrying',
    })
  }

  /**
   * Deletes all expired chunks, in turns of one batch of each project, so that no project waits for another.
   *
   * @returns the number of deleted chunks
   */
  async sweep(): Promise<number> {
    const policies = await this.database.dataPolicy.findMany({
      where: { retentionDays: { not: null } },
      select: { projectId: true, retentionDays: true },
    })
    const now = this.clock.now().getTime()
    let deleted = 0
    let left = policies.map(({ projectId, retentionDays }) => ({
      projectId,
      until: new Date(now - (retentionDays ?? 0) * DAY_MS),
    }))
    while (left.length > 0) {
      const more: typeof left = []
      for (const one of left) {
        if (this.isStopping) return deleted
        const some = await this.deleteSome(one.projectId, one.until)
        deleted += some
        if (some === this.batch) more.push(one)
      }
      left = more
    }
    return deleted
  }

  private async deleteSome(projectId: string, until: Date): Promise<number> {
    const [row] = await this.database.$queryRaw<{ chunks: bigint }[]>`
      WITH deleted AS (
        DELETE FROM chunks WHERE id IN (
          SELECT id FROM chunks
          WHERE project_id = ${projectId}::uuid AND received_at < ${until}::timestamptz
          ORDER BY received_at
          LIMIT ${this.batch}::integer
          FOR UPDATE SKIP LOCKED
        )
        RETURNING size
      ), counted AS (
        INSERT INTO project_usage (project_id, day, bytes, deleted_bytes)
        SELECT ${projectId}::uuid, ${this.clock.now()}::timestamptz AT TIME ZONE 'UTC', 0, sum(size)
        FROM deleted HAVING count(*) > 0
        ON CONFLICT (project_id, day) DO UPDATE
        SET deleted_bytes = project_usage.deleted_bytes + excluded.deleted_bytes
      )
      SELECT count(*) AS chunks FROM deleted`
    return Number(row?.chunks ?? 0)
  }
}
