import { backoffMs } from '@bearing/contracts/durations'
import type { Principal } from '@bearing/contracts/principal'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { ConfirmDeletion } from './confirm-deletion.js'
import type { DeletionRow } from './deletion-row.js'
import { DELETION_SETTINGS, type DeletionSettings } from './deletion-settings.js'
import { EraseTenant } from './erase-tenant.js'
import { startErasure } from './start-erasure.js'

const INTERVAL_MS = 1_000
/** Between failed attempts. */
const BACKOFF = { firstMs: 2_000, maxMs: 60_000 }
const MANAGEMENT: Principal = { kind: 'service', name: 'management' }

/**
 * Works on deletions that are due: stops or restores credentials that identity has not confirmed, starts erasures, and erases.
 * Each deletion is worked on by one process; if it dies, another one continues.
 */
@Injectable()
export class DeletionJob extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly confirmation: ConfirmDeletion,
    private readonly erasure: EraseTenant,
    @Inject(DELETION_SETTINGS) private readonly settings: DeletionSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.workOnDue(),
      logger,
      failure: 'Deletions of organizations and projects cannot be continued. Retrying every few seconds.',
    })
  }

  private async workOnDue(): Promise<void> {
    while (!this.isStopping) {
      const row = await this.claim()
      if (!row) return
      try {
        await this.workOn(row)
      } catch (error) {
        await this.postpone(row, error)
        throw error
      }
    }
  }

  private async workOn(row: DeletionRow): Promise<void> {
    if (row.state === 'erasing') return this.erasure.turn(row, () => this.isStopping)
    if (row.confirmed < row.version) {
      await this.confirmation.confirm(row)
      return
    }
    const now = this.clock.now()
    if (row.eraseAfter > now)
      await this.database.deletion.updateMany({
        where: { id: row.id, version: row.version },
        data: { nextAttemptAt: row.eraseAfter },
      })
    else
      await this.database.transaction((transaction) =>
        startErasure(transaction, tenantOf(row), MANAGEMENT, now),
      )
  }

  private async claim(): Promise<DeletionRow | null> {
    const now = this.clock.now()
    const [claimed] = await this.database.$queryRaw<{ id: string }[]>`
      UPDATE deletions SET next_attempt_at = ${new Date(now.getTime() + this.settings.leaseMs)}
      WHERE id = (SELECT id FROM deletions WHERE next_attempt_at <= ${now}
                  ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id`
    return claimed ? this.database.deletion.findUnique({ where: { id: claimed.id } }) : null
  }

  private async postpone({ id, version, failures }: DeletionRow, error: unknown): Promise<void> {
    this.logger.warn({ err: error, deletion: id, failures: failures + 1 }, 'a deletion failed and is retried')
    const wait = backoffMs(failures + 1, BACKOFF)
    await this.database.deletion.updateMany({
      where: { id, version },
      data: { failures: { increment: 1 }, nextAttemptAt: new Date(this.clock.nowMs() + wait) },
    })
  }
}

function tenantOf({ organizationId, projectId }: DeletionRow) {
  return { organizationId, projectId }
}
