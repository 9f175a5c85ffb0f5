import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'
import type { Storages } from '../storage/storage.js'

/** What one statement takes: it stays short. */
const BATCH = 100
/** How long a committed upload is remembered, so that its commit can be done again: as long as its token works. */
const COMMITTED_MS = 7 * 24 * 3_600_000
/** No gateway takes bytes of one PUT for that long, in milliseconds: what is not complete then never will be. */
const BROKEN_OFF_MS = 2 * 3_600_000

/** How uploads are swept. */
export interface SweepOptions {
  /** How long what nobody has committed is kept, in milliseconds. */
  readonly keptMs: number
  readonly everyMs: number
}

/**
 * Takes away uploads that were never committed, bytes that something else has taken the place of, those of a PUT that broke off,
 * and at once those whose last file is gone. Any number of processes may do it at the same time.
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
      intervalMs: options.everyMs,
      run: () => this.sweep(),
      logger,
      failure: 'abandoned uploads could not be swept; trying again',
    })
  }

  /**
   * One sweep, of all that there is: what comes faster than it is taken away would grow for ever.
   *
   * @throws where something is left, after everything else: a storage that is away holds up no other
   */
  async sweep(): Promise<void> {
    const now = this.clock.nowMs()
    const abandoned = new Date(now - this.options.keptMs)
    const forgotten = new Date(now - COMMITTED_MS)
    for (let count = BATCH; count === BATCH && !this.isStopping;)
      count = await this.database.$executeRaw`
        DELETE FROM uploads WHERE id IN (
          SELECT id FROM uploads
          WHERE created_at < ${forgotten} OR (created_at < ${abandoned} AND file_id IS NULL)
          ORDER BY created_at LIMIT ${BATCH})`
    const away = new Map<string, unknown>()
    for (let count = BATCH; count === BATCH && !this.isStopping;)
      count = await this.sweepObjects(abandoned, new Date(now - BROKEN_OFF_MS), away)
    if (away.size > 0)
      throw new Error(`objects are left in ${[...away.keys()].join(', ')}`, { cause: [...away.values()][0] })
  }

  /**
   * Takes away some objects.
   *
   * @param away storages that could not do it, and why; they are not asked again
   * @returns how many were to be taken away
   */
  private async sweepObjects(abandoned: Date, brokenOff: Date, away: Map<string, unknown>): Promise<number> {
    // Marked first: a commit that comes now finds it gone, and not half of it.
    const leaving = await this.database.$queryRaw<{ id: string; storage: string }[]>`
      UPDATE stored_objects SET leaving = true WHERE id IN (
        SELECT id FROM stored_objects o
        WHERE kept IS NULL AND storage <> ALL (${[...away.keys()]}::text[])
          AND (leaving OR created_at < ${abandoned}
            OR (sha256 IS NULL AND storage = 'jetstream' AND created_at < ${brokenOff}))
          AND NOT EXISTS (SELECT FROM files f WHERE f.object_id = o.id)
        ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING id, storage`
    for (const { id, storage } of leaving) {
      if (away.has(storage)) continue
      try {
        await this.storages.named(storage).remove(id)
      } catch (error) {
        away.set(storage, error)
        continue
      }
      // The row last: a crash in between leaves one that the next turn finds.
      await this.database.storedObject.deleteMany({ where: { id } })
    }
    return leaving.length
  }
}
