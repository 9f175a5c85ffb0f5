import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Database } from '../../ground/database.js'
import { Storages } from '../storage.js'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'

/** Interval between sweeps, in milliseconds. */
const SWEEP_MS = 60_000
/** Objects of one statement, and those that are deleted concurrently. */
const BATCH = 200
const CONCURRENT = 10
/** Transactions that store chunks take seconds: an object that none refers to after so many milliseconds is not needed. */
const UNUSED_MS = 3_600_000
/** Time that one process has to overwrite bytes of an object, in milliseconds. */
const LEASE_MS = 120_000
/** Time-out of writing an object, in milliseconds. */
const WRITE_MS = 30_000

interface ErasedObject {
  readonly id: string
  readonly storage: string
  readonly project_id: string
  readonly size: number
  readonly first_at: Date
  readonly last_at: Date
  readonly unwiped: number
  readonly leased_until: Date
}

/**
 * Deletes objects with payloads that no chunk refers to, and overwrites the bytes of erased devices in the others with zeros. Any
 * number of processes may run it.
 */
@Injectable()
export class SweepPayloads extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_MS,
      run: () => this.sweep(),
      logger,
      failure: 'payloads of deleted chunks cannot be deleted from the file storage; retrying',
    })
  }

  /** @throws if the storage is unavailable; what is left is done later */
  async sweep(): Promise<void> {
    const unused = new Date(this.clock.nowMs() - UNUSED_MS)
    while (!this.isStopping && (await this.wipeSome()) > 0);
    // Marked first, so that no transaction uses an object that is being deleted. The condition begins with that of the partial index.
    await this.database.$executeRaw`
      UPDATE chunk_objects SET leaving = true WHERE id IN (
        SELECT id FROM chunk_objects
        WHERE (last_at IS NULL OR unwiped > 0 OR leaving) AND last_at IS NULL AND NOT leaving AND created_at < ${unused}::timestamptz
        FOR UPDATE SKIP LOCKED)`
    while (!this.isStopping && (await this.removeSome()) > 0);
  }

  /**
   * Deletes a batch of the objects that are marked, the row last: after a crash the next sweep finds it.
   *
   * @param projects whose objects are deleted (default: all)
   * @returns how many were deleted
   */
  async removeSome(projects?: readonly string[]): Promise<number> {
    const of = projects && { projectId: { in: [...projects] } }
    const free = { OR: [{ leasedUntil: null }, { leasedUntil: { lt: this.clock.now() } }] }
    const rows = await this.database.chunkObject.findMany({
      where: { leaving: true, ...of, ...free },
      orderBy: { createdAt: 'asc' },
      select: { id: true, storage: true },
      take: BATCH,
    })
    for (let first = 0; first < rows.length && !this.isStopping; first += CONCURRENT) {
      const some = rows.slice(first, first + CONCURRENT)
      await Promise.all(some.map(({ id, storage }) => this.storages.named(storage).remove(id)))
      await this.database.chunkObject.deleteMany({ where: { id: { in: some.map(({ id }) => id) } } })
    }
    return rows.length
  }

  private async wipeSome(): Promise<number> {
    const now = this.clock.nowMs()
    const claimed = await this.database.$queryRaw<ErasedObject[]>`
      UPDATE chunk_objects SET leased_until = ${new Date(now + LEASE_MS)}::timestamptz WHERE id IN (
        SELECT id FROM chunk_objects
        WHERE unwiped > 0 AND NOT leaving AND last_at IS NOT NULL
          AND (leased_until IS NULL OR leased_until < ${new Date(now)}::timestamptz)
        ORDER BY created_at LIMIT ${CONCURRENT}::integer FOR UPDATE SKIP LOCKED)
      RETURNING id, storage, project_id, size, first_at, last_at, unwiped, leased_until`
    await Promise.all(claimed.map((object) => this.wipe(object)))
    return claimed.length
  }

  /** Overwrites everything in an object that no chunk refers to; if none refers to it, marks it. */
  private async wipe({ id, project_id, first_at, last_at, ...object }: ErasedObject): Promise<void> {
    const { size, storage: name, unwiped, leased_until: lease } = object
    const storage = this.storages.named(name)
    const kept = await this.database.$queryRaw<{ from: number; size: number }[]>`
      SELECT object_offset AS "from", size FROM device_chunks
      WHERE project_id = ${project_id}::uuid AND received_at BETWEEN ${first_at}::timestamptz AND ${last_at}::timestamptz
        AND object_id = ${id}::uuid`
    const before = kept.length > 0 ? await storage.readRange(id, 0, size) : undefined
    if (before) {
      const after = new Uint8Array(size)
      for (const { from, size: length } of kept) after.set(before.subarray(from, from + length), from)
      await storage.write(id, after, WRITE_MS)
    }
    const finished = await this.database.$executeRaw`
      UPDATE chunk_objects SET unwiped = unwiped - ${unwiped}::integer, leaving = ${kept.length === 0}::boolean, leased_until = NULL
      WHERE id = ${id}::uuid AND leased_until = ${lease}::timestamptz`
    // Another process has overwritten it since: this one may have written bytes of an earlier time.
    if (finished === 0)
      await this.database.$executeRaw`UPDATE chunk_objects SET unwiped = unwiped + 1 WHERE id = ${id}::uuid`
  }
}
