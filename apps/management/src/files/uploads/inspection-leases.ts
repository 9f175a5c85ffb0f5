import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '@bearing/contracts/errors'
import type { Clock } from '@bearing/service/ground/clock'
import type { Database } from '../../ground/database.js'

/** A lease expires after this time if its process dies, in milliseconds. */
const LEASE_MS = 15_000
const RENEWAL_MS = 5_000
/** Polling interval and time-out of a commit that waits for another, in milliseconds. */
const WAIT_MS = 500
const MAX_WAIT_MS = 60_000

/**
 * Lets one process at a time read what a client has put to S3. A lease in the row of the upload instead of a lock: reading
 * takes minutes, and a lock would hold a Postgres connection as long.
 */
export class InspectionLeases {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the work, or waits until another commit has done it.
   *
   * @param objectId the object of the upload until the work is done
   * @returns the result of `work`; undefined if another commit has done it
   * @throws OperationError `overloaded` after a minute; errors of `work`
   */
  async hold<Result>(
    uploadId: string,
    objectId: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += WAIT_MS) {
      if (await this.claim(uploadId, objectId)) return this.during(uploadId, work)
      await sleep(WAIT_MS)
      const open = { id: uploadId, objectId, refusedBecause: null }
      if ((await this.database.upload.count({ where: open })) === 0) return undefined
    }
    throw new OperationError('overloaded', 'Another commit is still reading the file. Try again shortly.', {
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
    const timer = setInterval(() => void renew(this.leaseEnd()), RENEWAL_MS)
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
