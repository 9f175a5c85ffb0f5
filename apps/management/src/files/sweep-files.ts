import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import { toDataPolicy } from '../ingest/data-policy/data-policy-row.js'
import type { Database } from '../ground/database.js'
import { lockCommits } from './uploads/commit-lock.js'
import { removeFiles } from './remove-files.js'

const DAY_MS = 24 * 3600 * 1_000
/** Files that one transaction deletes: commits of the project wait for it. */
const BATCH = 500
/** Transactions of one sweep for one kind of a project: what is left is for the next one, so that none waits for another. */
const BATCHES = 100

/**
 * Deletes files that are older than their project keeps those of their kind. Their bytes go with the sweep of uploads. Several
 * processes do no harm to each other.
 */
export class SweepFiles extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    logger: Logger,
    everyMs: number,
  ) {
    super({
      intervalMs: everyMs,
      run: async () => {
        const files = await this.sweep()
        if (files > 0) logger.info({ files }, 'files were deleted, as old as their projects keep them')
      },
      logger,
      failure: 'old files could not be deleted; trying again later',
    })
  }

  /**
   * One sweep.
   *
   * @returns how many files are gone
   */
  async sweep(): Promise<number> {
    const rows = await this.database.dataPolicy.findMany({ where: { fileRetentionDays: { not: {} } } })
    const now = this.clock.nowMs()
    let gone = 0
    for (const row of rows)
      for (const [kind, days] of Object.entries(toDataPolicy(row).file_retention_days))
        gone += await this.sweepKind(row.projectId, kind, new Date(now - days * DAY_MS))
    return gone
  }

  private async sweepKind(projectId: string, kind: string, until: Date): Promise<number> {
    let gone = 0
    for (let batches = 0; batches < BATCHES && !this.isStopping; batches++) {
      const some = await this.deleteSome(projectId, kind, until)
      gone += some
      if (some < BATCH) break
    }
    return gone
  }

  private async deleteSome(projectId: string, kind: string, until: Date): Promise<number> {
    const old = {
      where: { projectId, kind, createdAt: { lt: until } },
      orderBy: { createdAt: 'asc' },
      take: BATCH,
      select: { id: true },
    } as const
    // Nobody is kept waiting where nothing is old.
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
