import { DAY_MS } from '@bearing/contracts/durations'
import type { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Database } from '../../ground/database.js'
import { dropChunkDays } from './drop-chunk-days.js'

/** Chunks that one statement deletes, so that transactions stay short. */
const BATCH = 1_000

/** Numbers of chunks and requests that one statement deleted. */
interface Deleted {
  readonly chunks: number
  readonly requests: number
}

/**
 * Deletes chunks whose retention period is over: drops partitions of which nothing is kept, and deletes rows of the others. Any
 * number of processes may run it.
 */
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
   * Deletes all expired chunks, in turns of one batch of each project, so that no project waits for another. Chunks of a partition
   * that is dropped within a day wait for that.
   *
   * @returns the number of chunks that were deleted one by one
   * @throws at the end, if a partition could not be dropped
   */
  async sweep(): Promise<number> {
    const policies = await this.database.dataPolicy.findMany({
      where: { retentionDays: { not: null } },
      select: { projectId: true, retentionDays: true },
    })
    const now = this.clock.now()
    const { waiting, errors } = await dropChunkDays(this.database, now)
    let deleted = 0
    let left = policies.map(({ projectId, retentionDays }) => ({
      projectId,
      until: new Date(now.getTime() - (retentionDays ?? 0) * DAY_MS),
    }))
    while (left.length > 0) {
      const more: typeof left = []
      for (const one of left) {
        if (this.isStopping) return deleted
        const some = await this.deleteSome(one.projectId, one.until, waiting)
        deleted += some.chunks
        if (Math.max(some.chunks, some.requests) === this.batch) more.push(one)
      }
      left = more
    }
    for (const { projectId, retentionDays } of policies)
      await this.markObjects(projectId, new Date(now.getTime() - (retentionDays ?? 0) * DAY_MS), waiting)
    if (errors.length > 0) throw errors[0]
    return deleted
  }

  /** Marks objects with payloads whose chunks are all deleted. The sweep of payloads deletes them. */
  private async markObjects(projectId: string, until: Date, waiting: readonly string[]): Promise<void> {
    for (;;) {
      // LIMIT keeps Postgres from reading all chunks together.
      const marked = await this.database.$queryRaw<unknown[]>`
        UPDATE chunk_objects SET leaving = true WHERE id IN (
          SELECT o.id FROM chunk_objects o
          LEFT JOIN LATERAL (
            SELECT true AS is_used FROM device_chunks c
            WHERE c.project_id = o.project_id AND c.received_at BETWEEN o.first_at AND o.last_at AND c.object_id = o.id LIMIT 1
          ) c ON true
          WHERE o.project_id = ${projectId}::uuid AND o.last_at < ${until}::timestamptz AND NOT o.leaving
            AND NOT tstzrange(o.first_at, o.last_at, '[]') && ANY (${[...waiting]}::tstzrange[]) AND c.is_used IS NULL
          LIMIT ${this.batch}::integer FOR UPDATE OF o SKIP LOCKED)
        RETURNING id`
      if (marked.length < this.batch || this.isStopping) return
    }
  }

  private async deleteSome(projectId: string, until: Date, waiting: readonly string[]): Promise<Deleted> {
    const [row] = await this.database.$queryRaw<Deleted[]>`
      WITH batch AS MATERIALIZED (
        SELECT id, received_at FROM device_chunks
        WHERE project_id = ${projectId}::uuid AND received_at < ${until}::timestamptz
          AND NOT received_at <@ ANY (${[...waiting]}::tstzrange[])
        ORDER BY received_at
        LIMIT ${this.batch}::integer
        FOR UPDATE SKIP LOCKED
      ), deleted AS (
        DELETE FROM device_chunks gone USING batch
        WHERE gone.id = batch.id AND gone.received_at = batch.received_at
          AND gone.project_id = ${projectId}::uuid AND gone.received_at < ${until}::timestamptz
        RETURNING gone.received_at, gone.size
      ), requests AS (
        DELETE FROM chunk_requests WHERE id IN (
          SELECT id FROM chunk_requests
          WHERE project_id = ${projectId}::uuid AND received_at < ${until}::timestamptz
            AND NOT received_at <@ ANY (${[...waiting]}::tstzrange[])
          LIMIT ${this.batch}::integer
          FOR UPDATE SKIP LOCKED
        )
        RETURNING id
      ), counted AS (
        INSERT INTO project_usage (project_id, day, bytes, deleted_bytes)
        SELECT ${projectId}::uuid, (received_at AT TIME ZONE 'UTC')::date, 0, sum(size)
        FROM deleted GROUP BY 2 ORDER BY 2
        ON CONFLICT (project_id, day) DO UPDATE
        SET deleted_bytes = project_usage.deleted_bytes + excluded.deleted_bytes
      )
      SELECT (SELECT count(*) FROM deleted)::integer AS chunks, (SELECT count(*) FROM requests)::integer AS requests`
    return row ?? { chunks: 0, requests: 0 }
  }
}
