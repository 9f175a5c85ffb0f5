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

/** Deliveries that are looked at first, the longest due, for each that is wanted. */
const HEAD = 5

/** Hands out deliveries that are due. */
export class DueDeliveries {
  /** @param leaseMs after that time, an attempt of which nothing was heard counts for lost, and is made again */
  constructor(
    private readonly database: Pick<Database, '$queryRaw' | 'webhookDelivery'>,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {}

  /**
   * Takes deliveries that nobody else has, the longest due first, so that no other process takes them while the lease lasts. A
   * process that dies over them gives them back by that. Each webhook gives a few, however many it has waiting, so none holds up
   * another. Where two processes choose the same ones at the same moment, the second one gets fewer than there are.
   *
   * @param limit the most of them
   * @param busy webhooks that have as many attempts under way as they may
   */
  async take(limit: number, busy: readonly string[]): Promise<DueDelivery[]> {
    const now = this.clock.now()
    const chosen = (await this.ofHead(now, limit, busy)) ?? (await this.ofEach(now, limit, busy))
    if (chosen.length === 0) return []
    const lostAt = new Date(now.getTime() + this.leaseMs)
    return this.database.$queryRaw<DueDelivery[]>`
      WITH due AS (
        SELECT id FROM webhook_deliveries
        WHERE id = ANY (${chosen}::uuid[]) AND next_attempt_at <= ${now}::timestamptz
        FOR UPDATE SKIP LOCKED
      )
      UPDATE webhook_deliveries d SET next_attempt_at = ${lostAt}::timestamptz, attempts = d.attempts + 1
      FROM due, webhooks w
      WHERE d.id = due.id AND w.id = d.webhook_id
      RETURNING w.id, w.url, w.failing_since IS NOT NULL AS failing, w.secret_box AS "secretBox", w.key_id AS "keyId",
        w.previous_box AS "previousBox", w.previous_key_id AS "previousKeyId", w.previous_until AS "previousUntil",
        d.id AS "deliveryId", d.body, d.attempts`
  }

  /**
   * Chooses from those that are the longest due: it costs one look into an index, however many webhooks there are, and however
   * many of them wait for later.
   *
   * @returns undefined where a few webhooks have so much that others may be behind it
   */
  private async ofHead(now: Date, limit: number, busy: readonly string[]): Promise<string[] | undefined> {
    const rows = await this.database.$queryRaw<{ id: string | null; seen: bigint }[]>`
      WITH head AS MATERIALIZED (
        SELECT id, webhook_id, next_attempt_at FROM webhook_deliveries
        WHERE next_attempt_at <= ${now}::timestamptz
        ORDER BY next_attempt_at
        LIMIT ${HEAD * limit}::integer
      ), counted AS (
        SELECT head.id, head.next_attempt_at, w.failing_since,
          row_number() OVER (PARTITION BY w.id ORDER BY head.next_attempt_at) AS place
        FROM head JOIN webhooks w ON w.id = head.webhook_id
        WHERE w.paused_at IS NULL AND w.id <> ALL (${busy}::uuid[])
      ), chosen AS (
        SELECT id FROM counted
        WHERE place <= CASE WHEN failing_since IS NULL THEN ${AT_ONCE.working}::integer ELSE ${AT_ONCE.failing}::integer END
        ORDER BY next_attempt_at
        LIMIT ${limit}::integer
      )
      SELECT chosen.id, (SELECT count(*) FROM head) AS seen FROM (VALUES (0)) one LEFT JOIN chosen ON true`
    const chosen = rows.flatMap(({ id }) => id ?? [])
    const isAll = Number(rows[0]?.seen ?? 0) < HEAD * limit
    return isAll || chosen.length === limit ? chosen : undefined
  }

  /**
   * Chooses from each webhook that has something waiting: a look into an index for each of them, and nothing for all others,
   * since Postgres jumps from one of them to the next one. Those whose first delivery is the longest due are enough: what is due
   * longer than theirs is theirs.
   */
  private async ofEach(now: Date, limit: number, busy: readonly string[]): Promise<string[]> {
    const rows = await this.database.$queryRaw<{ id: string }[]>`
      WITH RECURSIVE firsts (webhook_id, next_attempt_at) AS (
        (
          SELECT webhook_id, next_attempt_at FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
          ORDER BY webhook_id, next_attempt_at LIMIT 1
        )
        UNION ALL
        SELECT next.* FROM firsts CROSS JOIN LATERAL (
          SELECT d.webhook_id, d.next_attempt_at FROM webhook_deliveries d
          WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id > firsts.webhook_id
          ORDER BY d.webhook_id, d.next_attempt_at LIMIT 1
        ) next
      ), telling AS MATERIALIZED (
        SELECT w.id, w.failing_since FROM firsts JOIN webhooks w ON w.id = firsts.webhook_id
        WHERE firsts.next_attempt_at <= ${now}::timestamptz AND w.paused_at IS NULL AND w.id <> ALL (${busy}::uuid[])
        ORDER BY firsts.next_attempt_at
        LIMIT ${limit}::integer
      )
      SELECT one.id
      FROM telling CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
        WHERE d.webhook_id = telling.id AND d.next_attempt_at <= ${now}::timestamptz
        ORDER BY d.next_attempt_at
        LIMIT CASE WHEN telling.failing_since IS NULL THEN ${AT_ONCE.working}::integer ELSE ${AT_ONCE.failing}::integer END
      ) one
      ORDER BY one.next_attempt_at
      LIMIT ${limit}::integer`
    return rows.map(({ id }) => id)
  }

  /** Gives a delivery back of which no attempt was made, for a while. */
  async giveBack({ deliveryId, attempts }: DueDelivery): Promise<void> {
    await this.database.webhookDelivery.updateMany({
      where: { id: deliveryId, attempts },
      data: { attempts: attempts - 1 },
    })
  }
}
