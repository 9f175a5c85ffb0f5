import type { Clock } from '@bearing/service/clock'
import type { Database } from '../ground/database.js'
import { Prisma } from '../generated/prisma/client.js'
import type { FreeSlots, Slots } from './attempt-limits.js'
import type { StoredSecrets } from './webhook-secrets.js'

/** Attempts that a webhook may have under way in a process, and one whose last attempt was not accepted. */
export const AT_ONCE = { working: 4, failing: 1 } as const

/** A delivery that this process has to attempt. */
export interface DueDelivery extends StoredSecrets {
  /** Of the webhook. */
  readonly id: string
  readonly organizationId: string
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
   * Takes deliveries that nobody else has, so that no other process takes them while the lease lasts. A process that dies over them
   * gives them back by that. Webhooks that work come first, and then those whose last attempt was not accepted, of both the longest
   * due. Each webhook gives a few, however many it has waiting, and each organization, so none holds up another. Where two processes
   * choose the same ones at the same moment, the second one gets fewer than there are.
   *
   * @param free how many of them
   * @param busy webhooks that have as many attempts under way as they may
   */
  async take(free: FreeSlots, busy: readonly string[]): Promise<DueDelivery[]> {
    const now = this.clock.now()
    const chosen = (await this.ofHead(now, free, busy)) ?? (await this.ofEach(now, free, busy))
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
      RETURNING w.id, w.organization_id AS "organizationId", w.url, w.failing_since IS NOT NULL AS failing,
        w.secret_box AS "secretBox", w.key_id AS "keyId",
        w.previous_box AS "previousBox", w.previous_key_id AS "previousKeyId", w.previous_until AS "previousUntil",
        d.id AS "deliveryId", d.body, d.attempts`
  }

  /**
   * Chooses from those that are the longest due: it costs one look into an index, however many webhooks there are, and however
   * many of them wait for later.
   *
   * @returns undefined where a few webhooks have so much that others may be behind it
   */
  private async ofHead(now: Date, free: FreeSlots, busy: readonly string[]): Promise<string[] | undefined> {
    const { limit } = free.working
    const candidates = Prisma.sql`
      SELECT id, organization_id, failing, next_attempt_at FROM (
        SELECT head.id, w.organization_id, w.failing_since IS NOT NULL AS failing, head.next_attempt_at,
          row_number() OVER (PARTITION BY w.id ORDER BY head.next_attempt_at) AS place
        FROM head JOIN webhooks w ON w.id = head.webhook_id
        WHERE w.paused_at IS NULL AND w.id <> ALL (${busy}::uuid[])
      ) placed
      WHERE place <= ${mostOfWebhook}`
    const rows = await this.database.$queryRaw<
      { id: string | null; failing: boolean | null; seen: bigint }[]
    >`
      WITH head AS MATERIALIZED (
        SELECT id, webhook_id, next_attempt_at FROM webhook_deliveries
        WHERE next_attempt_at <= ${now}::timestamptz
        ORDER BY next_attempt_at
        LIMIT ${HEAD * limit}::integer
      ), chosen AS (${fairly(candidates, free)})
      SELECT chosen.id, chosen.failing, (SELECT count(*) FROM head) AS seen FROM (VALUES (0)) one LEFT JOIN chosen ON true`
    const isAll = Number(rows[0]?.seen ?? 0) < HEAD * limit
    const working = rows.filter(({ failing }) => failing === false)
    return isAll || working.length === limit ? rows.flatMap(({ id }) => id ?? []) : undefined
  }

  /**
   * Chooses from each webhook that has something waiting: a look into an index for each of them, and nothing for all others,
   * since Postgres jumps from one of them to the next one. Those whose first delivery is the longest due are enough: what is due
   * longer than theirs is theirs.
   */
  private async ofEach(now: Date, free: FreeSlots, busy: readonly string[]): Promise<string[]> {
    const webhooks = Prisma.sql`
      SELECT w.id, w.organization_id, w.failing_since IS NOT NULL AS failing, firsts.next_attempt_at
      FROM firsts JOIN webhooks w ON w.id = firsts.webhook_id
      WHERE firsts.next_attempt_at <= ${now}::timestamptz AND w.paused_at IS NULL AND w.id <> ALL (${busy}::uuid[])`
    const candidates = Prisma.sql`
      SELECT one.id, telling.organization_id, telling.failing, one.next_attempt_at
      FROM telling CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
        WHERE d.webhook_id = telling.id AND d.next_attempt_at <= ${now}::timestamptz
        ORDER BY d.next_attempt_at
        LIMIT ${mostOfWebhook}
      ) one`
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
      ), telling AS MATERIALIZED (${fairly(webhooks, free)})
      ${fairly(candidates, free)}`
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

/** How many of its deliveries a webhook gives, by the column `failing`. */
const mostOfWebhook = Prisma.sql`CASE WHEN failing THEN ${AT_ONCE.failing}::integer ELSE ${AT_ONCE.working}::integer END`

/**
 * Of candidates, as many as there are slots, those that work first: each organization gives no more than it has left.
 *
 * @param candidates a query for rows of `id`, `organization_id`, `failing` and `next_attempt_at`
 */
function fairly(candidates: Prisma.Sql, { working, failing }: FreeSlots): Prisma.Sql {
  const of = (what: (slots: Slots) => number) =>
    Prisma.sql`CASE WHEN failing THEN ${what(failing)}::integer ELSE ${what(working)}::integer END`
  const held = [...working.held.entries(), ...failing.held.entries()]
  return Prisma.sql`
    SELECT id, organization_id, failing, next_attempt_at FROM (
      SELECT *, row_number() OVER (PARTITION BY failing ORDER BY next_attempt_at) AS place FROM (
        SELECT candidate.*, coalesce(held.count, 0)
          + row_number() OVER (PARTITION BY organization_id, failing ORDER BY next_attempt_at) AS of_one
        FROM (${candidates}) candidate LEFT JOIN unnest(
          ${held.map(([organizationId]) => organizationId)}::uuid[],
          ${held.map((_, index) => index >= working.held.size)}::boolean[],
          ${held.map(([, count]) => count)}::integer[]
        ) held (organization_id, failing, count) USING (organization_id, failing)
      ) own
      WHERE of_one <= ${of(({ ofOne }) => ofOne)}
    ) fair
    WHERE place <= ${of(({ limit }) => limit)}
    ORDER BY failing, next_attempt_at
    LIMIT ${working.limit}::integer`
}
