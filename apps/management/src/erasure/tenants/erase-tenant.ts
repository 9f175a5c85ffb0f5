import { OperationError } from '@bearing/contracts/errors'
import { eraseTenantIdentity } from '@bearing/contracts/identity/members/tenant'
import { eraseTenantLocation } from '@bearing/contracts/location/settings/tenant'
import type { DeletionPart } from '@bearing/contracts/management/tenancy/deletion'
import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/ground/clock'
import type { Erased } from '@bearing/service/store/erase-rows'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { ConfirmDeletion } from './confirm-deletion.js'
import { progressOf, type DeletionRow, type Progress } from './deletion-row.js'
import { DELETION_SETTINGS, type DeletionSettings } from './deletion-settings.js'
import { EraseOwnData } from './erase-own-data.js'
import { completeErasure } from './complete-erasure.js'

/** Time for the erasure of one turn, and for its check, in milliseconds: together less than the lease of a deletion. */
const TURN_MS = 15_000
/** Pause before the next turn while the rest cannot be erased yet, in milliseconds: queued messages, locked rows. */
const WAIT_MS = 1_000

/** Erases deleted tenants, in batches, in all services. */
@Injectable()
export class EraseTenant {
  constructor(
    private readonly database: Database,
    private readonly client: NatsClient,
    private readonly clock: Clock,
    private readonly confirmation: ConfirmDeletion,
    private readonly own: EraseOwnData,
    @Inject(DELETION_SETTINGS) private readonly settings: DeletionSettings,
  ) {}

  /**
   * Erases batches until nothing is left or the turn is over. Every batch may be repeated, so a process may end anywhere.
   *
   * @throws if a service does not answer; the progress says which
   */
  async turn(row: DeletionRow, isStopping: () => boolean): Promise<void> {
    const { stoppedAt } = await this.confirmation.confirm(row)
    const startMs = Math.max(stoppedAt?.getTime() ?? Infinity, row.erasingSince?.getTime() ?? Infinity)
    const waitMs = startMs + this.settings.settleMs - this.clock.nowMs()
    if (waitMs > 0) return this.save(row, progressOf(row), waitMs)
    const end = performance.now() + TURN_MS
    const parts = progressOf(row)
    for (const [place, part] of parts.entries()) {
      for (let remaining = 1; remaining > 0;) {
        if (isStopping() || performance.now() > end) return this.save(row, parts, 0)
        const erased = await this.batch(row, parts, place)
        remaining = erased.remaining
        parts[place] = this.after(parts[place] ?? part, erased)
        if (erased.erased === 0 && remaining > 0) return this.save(row, parts, WAIT_MS)
        await this.save(row, parts)
      }
    }
    // Once more from the start: what one part erased may have been written again through another one.
    const endOfCheck = performance.now() + TURN_MS
    for (const [place] of parts.entries()) {
      if (isStopping() || performance.now() > endOfCheck) return this.save(row, parts, 0)
      const again = await this.batch(row, parts, place)
      if (again.erased > 0 || again.remaining > 0) return this.save(row, parts, 0)
    }
    await this.database.transaction((transaction) => completeErasure(transaction, row, this.clock.now()))
  }

  private async batch(row: DeletionRow, parts: Progress[], place: number): Promise<Erased> {
    const part = parts[place]
    if (!part) throw new Error('unreachable: the place is one of the parts')
    try {
      return await this.eraseBatch(part.part, row)
    } catch (error) {
      parts[place] = { ...part, started_at: part.started_at ?? this.now(), error: reasonOf(part.part, error) }
      await this.save(row, parts)
      throw error
    }
  }

  private eraseBatch(part: DeletionPart, row: DeletionRow): Promise<Erased> {
    const { organizationId: organization_id, projectId: project_id } = row
    const request = { organization_id, project_id, version: Number(row.version) }
    switch (part) {
      case 'location':
        return this.client.call(eraseTenantLocation, request)
      case 'management':
        return this.own.batch(row)
      case 'identity':
        return this.client.call(eraseTenantIdentity, request)
    }
  }

  private after(part: Progress, { erased, remaining }: Erased): Progress {
    return {
      ...part,
      erased: part.erased + erased,
      remaining,
      started_at: part.started_at ?? this.now(),
      finished_at: remaining === 0 ? this.now() : null,
      error: null,
    }
  }

  private now(): string {
    return this.clock.now().toISOString()
  }

  /** @param waitMs until the next turn; undefined if this one continues */
  private async save({ id }: DeletionRow, parts: readonly Progress[], waitMs?: number): Promise<void> {
    await this.database.deletion.updateMany({
      where: { id, state: 'erasing' },
      data: {
        parts: [...parts] as object[],
        ...(waitMs !== undefined && { nextAttemptAt: new Date(this.clock.nowMs() + waitMs), failures: 0 }),
      },
    })
  }
}

/** Admins read it, so it has the code of the error alone. The log has its text. */
function reasonOf(part: DeletionPart, error: unknown): string {
  const code = error instanceof OperationError ? error.code : 'internal'
  return `The ${part} service could not erase a batch (${code}). It is retried automatically.`
}
