import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '@bearing/contracts/errors'
import type { Clock } from '@bearing/service/clock'
import type { Database } from '../../ground/database.js'

/** How long a lease lasts after its process has died, in milliseconds. */
const LEASE_MS = 15_000
const RENEWED_MS = 5_000
/** How often who waits looks, and how long, in milliseconds. */
const WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000

/**
 * Has what was put to S3 for an upload read by one process at a time. A lease in the row of the upload, and no lock: reading takes
 * minutes, and a transaction would hold a connection to Postgres as long.
 */
export class LookLeases {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Does the work, or waits until another commit has done it.
   *
   * @param objectId what the upload has while nobody has done the work
   * @returns what `work` returns; undefined if another commit has done it, or has given up
   * @throws OperationError `overloaded` after a minute; and what `work` throws
   */
  async hold<Result>(
    uploadId: string,
    objectId: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += WAIT_MS) {
      if (await this.claim(uploadId, objectId)) return this.during(uploadId, work)
      await sleep(WAIT_MS)
      const open = { id: uploadId, objectId, refusedBecause: null }
      if ((await this.database.upload.count({ where: open })) === 0) return undefined
    }
    throw new OperationError('overloaded', 'Another commit still reads the file. Try again shortly.', {
      retry_after: 5,
    })
  }

  private async claim(id: string, objectId: string): Promise<boolean> {
    const now = this.clock.now()
    const { count } = await this.database.upload.updateMany({
      where: {
        id,
        objectId,
        refusedBecause: null,
        OR: [{ lookedAtUntil: null }, { lookedAtUntil: { lt: now } }],
      },
      data: { lookedAtUntil: this.leaseEnd() },
    })
    return count > 0
  }

  private async during<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const renew = (lookedAtUntil: Date | null) =>
      this.database.upload.updateMany({ where: { id }, data: { lookedAtUntil } }).catch(() => undefined)
    const timer = setInterval(() => void renew(this.leaseEnd()), RENEWED_MS)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      await renew(null)
    }
  }

  private leaseEnd(): Date {
    return new Date(this.clock.nowMs() + LEASE_MS)
  }
}
