import { BUCKETS, bucketOf } from '@bearing/contracts/counts/histogram'
import { type WebhookEvent } from '@bearing/contracts/management/webhook'
import type { Clock } from '@bearing/service/ground/clock'
import type { Randomness } from '@bearing/service/ground/randomness'
import type { Database } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import type { DueDelivery } from './due-deliveries.js'
import { BATCH_EVENTS } from './queue-batch.js'
import { retryDelayMs } from './rules/webhook-retry.js'
import type { DataOutcome } from './send-data.js'
import type { Outcome } from './send-delivery.js'

/** Delays of retries, and the failures that pause a webhook. */
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

  async execute(due: DueDelivery, outcome: Outcome & Partial<DataOutcome>): Promise<void> {
    const now = this.clock.now()
    const random = (this.randomness.bytes(1)[0] ?? 0) / 256
    const isData = BATCH_EVENTS.has(due.event)
    // Batches never fail: later items would overtake it. The webhook is paused in the end.
    const attempts = isData ? Math.min(due.attempts, this.policy.delaysMs.length) : due.attempts
    const delayMs = outcome.accepted
      ? undefined
      : retryDelayMs(this.policy.delaysMs, attempts, random, outcome.retryAfterMs)
    const isPending = delayMs !== undefined
    const state = outcome.accepted ? 'delivered' : isPending ? 'pending' : 'failed'
    const dropsBody = outcome.accepted || (!isPending && due.event === POSITION)
    const nextAttemptAt = isPending ? new Date(now.getTime() + delayMs) : null
    const end = outcome.accepted ? outcome.end : undefined
    // After the lease another process may have attempted it: then this attempt is neither recorded nor counted.
    await this.database.$executeRaw`
      WITH recorded AS (
        UPDATE webhook_deliveries
        SET state = ${state}, body = CASE WHEN ${dropsBody} THEN NULL ELSE body END,
            next_attempt_at = ${nextAttemptAt}::timestamptz, last_attempt_at = ${now}::timestamptz,
            status = ${outcome.status}::integer, error = ${outcome.error}, duration_ms = ${outcome.durationMs}::integer
        WHERE id = ${due.deliveryId}::uuid AND attempts = ${due.attempts}
        RETURNING webhook_id
      ), moved AS (
        UPDATE webhooks SET data_position = ${end?.position}::bigint, data_at = ${end?.at}::timestamptz
        WHERE id = (SELECT webhook_id FROM recorded) AND data_position < ${end?.position}::bigint
      )
      INSERT INTO webhook_hours AS stored (webhook_id, hour, delivered, failed, durations, items, refused)
      SELECT webhook_id, counted.hour, sum(delivered), sum(failed), max(durations), sum(items), sum(refused)
      FROM recorded CROSS JOIN (
        SELECT date_trunc('hour', ${now}::timestamptz, 'UTC') AS hour, ${outcome.accepted ? 1 : 0}::bigint AS delivered,
               ${outcome.accepted ? 0 : 1}::bigint AS failed, ${durations(outcome)}::integer[] AS durations, 0 AS items, 0 AS refused
        UNION ALL
        SELECT hour, 0, 0, '{}', items, refused
        FROM json_to_recordset(${JSON.stringify(end ? outcome.hours : [])}::json) AS h (hour timestamptz, items bigint, refused bigint)
      ) counted
      GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (webhook_id, hour) DO UPDATE
      SET delivered = stored.delivered + excluded.delivered, failed = stored.failed + excluded.failed,
          items = stored.items + excluded.items, refused = stored.refused + excluded.refused,
          durations = ARRAY(
            SELECT coalesce(before, 0) + coalesce(added, 0)
            FROM unnest(stored.durations, excluded.durations) WITH ORDINALITY AS bucket (before, added, position)
            ORDER BY position)`
    // There may be many a second, and the webhook has its position.
    if (end)
      await this.database.webhookDelivery.deleteMany({ where: { id: due.deliveryId, state: 'delivered' } })
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
        where: { id, pausedReason: null, ...tooLong },
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

/** Returns the duration of an accepted attempt as a histogram. */
function durations({ accepted, durationMs }: Outcome): number[] {
  if (!accepted) return []
  const counts = new Array<number>(BUCKETS).fill(0)
  counts[bucketOf(durationMs)] = 1
  return counts
}
