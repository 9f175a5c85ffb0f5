import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { toDataPolicy } from '../ingest/data-policy/data-policy-row.js'
import { Database } from '../ground/database.js'
import { lockCommits } from '../ground/locks.js'
import { removeFiles } from './remove-files.js'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { SWEEP_INTERVAL_MS } from '../ground/sweep-interval.js'

/** Files that one transaction deletes. Commits of the project wait for it. */
const BATCH = 500
/** Transactions of one sweep for one kind and project; the next sweep continues. */
const MAX_BATCHES = 100

/**
 * Deletes files whose retention period is over. The sweep of uploads deletes their bytes. Any number of processes may run
 * it.
 */
@Injectable()
export class SweepFiles extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_INTERVAL_MS,
      run: async () => {
        const files = await this.sweep()
        if (files > 0) logger.info({ files }, 'expired files were deleted')
      },
      logger,
      failure: 'expired files cannot be deleted; retrying',
    })
  }

  /** Deletes expired files. Returns their number. */
  async sweep(): Promise<number> {
    const rows = await this.database.dataPolicy.findMany({ where: { fileRetentionDays: { not: {} } } })
    const now = this.clock.nowMs()
    let deleted = 0
    for (const row of rows)
      for (const [kind, days] of Object.entries(toDataPolicy(row).file_retention_days))
        deleted += await this.sweepKind(row.projectId, kind, new Date(now - days * DAY_MS))
    return deleted
  }

  private async sweepKind(projectId: string, kind: string, until: Date): Promise<number> {
    let deleted = 0
    for (let batches = 0; batches < MAX_BATCHES && !this.isStopping; batches++) {
      const some = await this.deleteSome(projectId, kind, until)
      deleted += some
      if (some < BATCH) break
    }
    return deleted
  }

  private async deleteSome(projectId: string, kind: string, until: Date): Promise<number> {
    const old = {
      where: { projectId, kind, createdAt: { lt: until } },
      orderBy: { createdAt: 'asc' },
      take: BATCH,
      select: { id: true },
    } as const
    // Without the lock if nothing is expired.
    if ((await this.database.storedFile.findMany({ ...old, take: 1 })).length === 0) return 0
    return this.database.transaction(async (transaction) => {
      await lockCommits(transaction, projectId)
      const files = await transaction.storedFile.findMany(old)
      return removeFiles(
        transaction,
        files.map(({ id }) => id),
      )
    })
  }
}
