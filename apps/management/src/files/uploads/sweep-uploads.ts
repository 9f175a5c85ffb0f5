import { DAY_MS } from '@bearing/contracts/durations'
import type { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Database } from '../../ground/database.js'
import type { Storages } from '../../storage/storage.js'

/** Rows of one statement. */
const BATCH = 100
/** Retention of committed uploads, so that a commit can be repeated while its token is valid. */
const COMMITTED_MS = 7 * DAY_MS
/** Longer than a gateway accepts bytes of one PUT, in milliseconds: an incomplete object stays incomplete. */
const INTERRUPTED_MS = 2 * 3_600_000

/** Options of {@link SweepUploads}. */
export interface SweepOptions {
  /** Retention of uploads that were not committed, in milliseconds. */
  readonly retentionMs: number
  readonly intervalMs: number
}

/**
 * Deletes uploads that were not committed, and objects that were replaced, interrupted, or belong to no file any more. Any
 * number of processes may run it.
 */
export class SweepUploads extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    logger: Logger,
    private readonly options: SweepOptions,
  ) {
    super({
      intervalMs: options.intervalMs,
      run: () => this.sweep(),
      logger,
      failure: 'abandoned uploads cannot be deleted; retrying',
    })
  }

  /**
   * Deletes everything that is due.
   *
   * @throws at the end if a storage is unavailable; it does not delay the others
   */
  async sweep(): Promise<void> {
    const now = this.clock.nowMs()
    const abandoned = new Date(now - this.options.retentionMs)
    const committed = new Date(now - COMMITTED_MS)
    await this.inBatches(
      BATCH,
      () => this.database.$executeRaw`
        DELETE FROM uploads WHERE id IN (
          SELECT id FROM uploads
          WHERE created_at < ${committed} OR (created_at < ${abandoned} AND file_id IS NULL)
          ORDER BY created_at LIMIT ${BATCH})`,
    )
    const unavailable = new Map<string, unknown>()
    const interrupted = new Date(now - INTERRUPTED_MS)
    await this.inBatches(BATCH, () => this.sweepObjects(abandoned, interrupted, unavailable))
    if (unavailable.size > 0)
      throw new Error(`objects are left in ${[...unavailable.keys()].join(', ')}`, {
        cause: [...unavailable.values()][0],
      })
  }

  /**
   * Deletes a batch of objects.
   *
   * @param unavailable storages that failed, with their errors; they are skipped
   * @returns the size of the batch
   */
  private async sweepObjects(
    abandoned: Date,
    interrupted: Date,
    unavailable: Map<string, unknown>,
  ): Promise<number> {
    // Marked first, so that no commit uses a half-deleted object.
    const leaving = await this.database.$queryRaw<{ id: string; storage: string }[]>`
      UPDATE stored_objects SET leaving = true WHERE id IN (
        SELECT id FROM stored_objects o
        WHERE kept IS NULL AND storage <> ALL (${[...unavailable.keys()]}::text[])
          AND (leaving OR created_at < ${abandoned}
            OR (sha256 IS NULL AND storage = 'jetstream' AND created_at < ${interrupted}))
          AND NOT EXISTS (SELECT FROM files f WHERE f.object_id = o.id)
        ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING id, storage`
    for (const { id, storage } of leaving) {
      if (unavailable.has(storage)) continue
      try {
        await this.storages.named(storage).remove(id)
      } catch (error) {
        unavailable.set(storage, error)
        continue
      }
      // The row last: after a crash the next sweep finds it.
      await this.database.storedObject.deleteMany({ where: { id } })
    }
    return leaving.length
  }
}
