import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import type { Clock } from '@bearing/service/ground/clock'
import type { Randomness } from '@bearing/service/ground/randomness'
import type { Database } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import type { DueDelivery } from './due-deliveries.js'
import { retryDelayMs } from './rules/webhook-retry.js'
import type { Outcome } from './send-delivery.js'

/** When deliveries are retried, and when a webhook is paused. */
export interface RetryPolicy {
  /** Delays after the first attempt, the second attempt, and so on, in milliseconds. */
  readonly delaysMs: readonly number[]
  /** A webhook that has accepted nothing for this long is paused, in milliseconds. */
  readonly pauseAfterMs: number
}

/** Its content is deleted when the delivery has failed: the retention of positions is in another service. */
const POSITION: WebhookEvent = 'device.location_resolved'
/** The status by which a receiver says that it is gone permanently. */
const GONE = 410

/** Records the outcome of an attempt: first in the delivery, then in the state of its webhook. */
export class RecordAttempt {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly policy: RetryPolicy,
  ) {}

  async execute(due: DueDelivery, outcome: Outcome): Promise<void> {
    const now = this.clock.now()
    const random = (this.randomness.bytes(1)[0] ?? 0) / 256
    const delayMs = outcome.accepted
      ? undefined
      : retryDelayMs(this.policy.delaysMs, due.attempts, random, outcome.retryAfterMs)
    const isPending = delayMs !== undefined
    await this.database.webhookDelivery.updateMany({
      // After the lease another process may have attempted it.
      where: { id: due.deliveryId, attempts: due.attempts },
      data: {
        state: outcome.accepted ? 'delivered' : isPending ? 'pending' : 'failed',
        ...((outcome.accepted || (!isPending && due.event === POSITION)) && { body: null }),
        nextAttemptAt: isPending ? new Date(now.getTime() + delayMs) : null,
        lastAttemptAt: now,
        status: outcome.status,
        error: outcome.error,
        durationMs: outcome.durationMs,
      },
    })
    if (outcome.accepted) await this.markWorking(due)
    else await this.markFailing(due, now, outcome.status === GONE)
  }

  private async markWorking({ id }: DueDelivery): Promise<void> {
    await this.database.webhook.updateMany({
      where: { id, failingSince: { not: null } },
      data: { failingSince: null },
    })
  }

  private async markFailing({ id }: DueDelivery, now: Date, isGone: boolean): Promise<void> {
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
        recordAudit(
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
