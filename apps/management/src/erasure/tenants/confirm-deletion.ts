import { setTenantState } from '@bearing/contracts/identity/members/tenant'
import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import type { DeletionRow } from './deletion-row.js'

/** Notifies identity that credentials stop or work again, and records that identity has confirmed it. */
@Injectable()
export class ConfirmDeletion {
  private readonly failed: (error: unknown) => void

  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failed = warnSeldom(
      logger,
      'Identity could not be notified of a deletion. Retrying every few seconds.',
    )
  }

  /** Like {@link confirm}, but never rejects: the job repeats it. */
  async attempt(row: DeletionRow): Promise<DeletionRow> {
    try {
      return await this.confirm(row)
    } catch (error) {
      this.failed(error)
      return row
    }
  }

  /**
   * Confirms the present state of a deletion.
   *
   * @returns the row as it is now
   * @throws if identity does not answer
   */
  async confirm(row: DeletionRow): Promise<DeletionRow> {
    const { id, version } = row
    if (row.confirmed >= version) return row
    const isRestored = row.state === 'restored'
    await this.identity.call(
      setTenantState,
      {
        organization_id: row.organizationId,
        project_id: row.projectId,
        state: isRestored ? 'active' : 'stopped',
        version: Number(version),
        deleted_at: isRestored ? null : row.deletedAt.toISOString(),
        erase_after: isRestored ? null : row.eraseAfter.toISOString(),
      },
      { timeoutMs: 2_000 },
    )
    // Only if the state has not changed meanwhile.
    if (isRestored) {
      await this.database.deletion.deleteMany({ where: { id, version } })
      return row
    }
    const stoppedAt = row.stoppedAt ?? this.clock.now()
    const nextAttemptAt = row.state === 'erasing' ? this.clock.now() : row.eraseAfter
    await this.database.deletion.updateMany({
      where: { id, version },
      data: { confirmed: version, stoppedAt, nextAttemptAt, failures: 0 },
    })
    return { ...row, confirmed: version, stoppedAt }
  }
}
