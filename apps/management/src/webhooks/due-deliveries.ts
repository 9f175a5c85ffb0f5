import type { Clock } from '@bearing/service/clock'
import type { Database } from '../database.js'
import type { StoredSecrets } from './webhook-secrets.js'

/** Attempts that a webhook may have under way in a process, and one whose last attempt was not accepted. */
export const AT_ONCE = { working: 4, failing: 1 } as const

/** A delivery that this process has to attempt. */
export interface DueDelivery extends StoredSecrets {
  /** Of the webhook. */
  readonly id: string
  readonly url: string
  readonly failing: boolean
  readonly deliveryId: string
  readonly body: string
  /** This one included. */
  readonly attempts: number
}

/** Hands out deliveries that are due. */
export class DueDeliveries {
  /** @param leaseMs after that time, an attempt of which nothing was heard counts for lost, and is made again */
  constructor(
    private readonly database: Pick<Database, '$queryRaw' | 'webhookDelivery'>,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {}

  /**
   * Takes deliveries that nobody else has, so that no other process takes them while the lease lasts. A process that dies
   * over them gives them back by that. Each webhook gives a few, however many it has waiting, so none holds up another.
   *
   * It costs a look into an index for each webhook that has something waiting, and nothing for all others: from one of them
   * Postgres jumps to the next one.
   *
   * @param limit the most of them
   * @param busy webhooks that have as many attempts under way as they may
   */
  async take(limit: number, busy: readonly string[]): Promise<DueDelivery[]> {
    const now = this.clock.now()
    const lostAt = new Date(now.getTime() + this.leaseMs)
    return this.database.$queryRaw<DueDelivery[]>`
      WITH RECURSIVE telling (webhook_id) AS (
        (SELECT webhook_id FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL ORDER BY webhook_id LIMIT 1)
        UNION ALL
        SELECT (
          SELECT d.webhook_id FROM webhook_deliveries d
          WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id > telling.webhook_id
          ORDER BY d.webhook_id LIMIT 1
        )
        FROM telling WHERE telling.webhook_id IS NOT NULL
      ), due AS (
        SELECT one.id
        FROM telling
        JOIN webhooks w ON w.id = telling.webhook_id
        CROSS JOIN LATERAL (
          SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
          WHERE d.webhook_id = w.id AND d.next_attempt_at <= ${now}::timestamptz
          ORDER BY d.next_attempt_at
          LIMIT CASE WHEN w.failing_since IS NULL THEN ${AT_ONCE.working}::integer ELSE ${AT_ONCE.failing}::integer END
          FOR UPDATE SKIP LOCKED
        ) one
        WHERE w.paused_at IS NULL AND w.id <> ALL (${busy}::uuid[])
        ORDER BY one.next_attempt_at
        LIMIT ${limit}::integer
      )
      UPDATE webhook_deliveries d SET next_attempt_at = ${lostAt}::timestamptz, attempts = d.attempts + 1
      FROM due, webhooks w
      WHERE d.id = due.id AND w.id = d.webhook_id
      RETURNING w.id, w.url, w.failing_since IS NOT NULL AS failing, w.secret_box AS "secretBox", w.key_id AS "keyId",
        w.previous_box AS "previousBox", w.previous_key_id AS "previousKeyId", w.previous_until AS "previousUntil",
        d.id AS "deliveryId", d.body, d.attempts`
  }

  /** Gives a delivery back of which no attempt was made, for a while. */
  async giveBack({ deliveryId, attempts }: DueDelivery): Promise<void> {
    await this.database.webhookDelivery.updateMany({
      where: { id: deliveryId, attempts },
      data: { attempts: attempts - 1 },
    })
  }
}
