import type { Clock } from '@bearing/service/clock'
import type { Randomness } from '@bearing/service/randomness'
import type { AuditLog } from '../ground/audit/audit-log.js'
import type { Database } from '../ground/database.js'
import { retryDelayMs } from './rules/webhook-retry.js'
import type { DueDelivery } from './due-deliveries.js'
import type { Attempt } from './send-delivery.js'

/** How long deliveries are tried again. */
export interface RetryPolicy {
  /** The pauses after the first attempt, the second one, and so on, in milliseconds. */
  readonly delaysMs: readonly number[]
  /** A webhook that has accepted nothing for so long is paused, in milliseconds. */
  readonly pauseAfterMs: number
}

/** With this a receiver says that it is gone for good. */
const GONE = 410

/** Writes down what came of an attempt: the delivery first, then what it says of its webhook. */
export class NoteAttempt {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly policy: RetryPolicy,
  ) {}

  async note(due: DueDelivery, attempt: Attempt): Promise<void> {
    const now = this.clock.now()
    const random = (this.randomness.bytes(1)[0] ?? 0) / 256
    const delayMs = attempt.accepted
      ? undefined
      : retryDelayMs(this.policy.delaysMs, due.attempts, random, attempt.askedMs)
    const isPending = delayMs !== undefined
    await this.database.webhookDelivery.updateMany({
      // Where the lease was over, somebody else has it.
      where: { id: due.deliveryId, attempts: due.attempts },
      data: {
        state: attempt.accepted ? 'delivered' : isPending ? 'pending' : 'failed',
        // What need not be sent any more is not kept.
        ...(!isPending && { body: null }),
        nextAttemptAt: isPending ? new Date(now.getTime() + delayMs) : null,
        lastAttemptAt: now,
        status: attempt.status,
        error: attempt.error,
        durationMs: attempt.durationMs,
      },
    })
    if (attempt.accepted) await this.works(due)
    else await this.fails(due, now, attempt.status === GONE)
  }

  private async works({ id }: DueDelivery): Promise<void> {
    await this.database.webhook.updateMany({
      where: { id, failingSince: { not: null } },
      data: { failingSince: null },
    })
  }

  private async fails({ id }: DueDelivery, now: Date, isGone: boolean): Promise<void> {
    await this.database.webhook.updateMany({ where: { id, failingSince: null }, data: { failingSince: now } })
    const since = new Date(now.getTime() - this.policy.pauseAfterMs)
    const tooLong = isGone ? {} : { failingSince: { lte: since } }
    const pausedReason = isGone ? 'gone' : 'failing'
    await this.database.transaction(async (transaction) => {
      const paused = await transaction.webhook.updateManyAndReturn({
        where: { id, pausedAt: null, ...tooLong },
        data: { pausedAt: now, pausedReason },
        select: { organizationId: true, projectId: true },
      })
      for (const { organizationId, projectId } of paused)
        await this.audit.record(
          transaction,
          { kind: 'service', name: 'management' },
          {
            action: 'webhook.paused',
            target: ['webhook', id],
            organizationId,
            details: { project_id: projectId, reason: pausedReason },
          },
        )
    })
  }
}
