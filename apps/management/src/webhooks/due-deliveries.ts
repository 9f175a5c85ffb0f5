import type { Clock } from '@bearing/service/ground/clock'
import type { Database } from '../ground/database.js'
import { AttemptLimits, MAX_ATTEMPTS_OF_WEBHOOK, type Attempt } from './attempt-limits.js'
import { NOT_DELETED } from './not-deleted.js'
import type { StoredSecrets } from './webhook-secrets.js'

export interface DueDelivery extends StoredSecrets, Attempt {
  readonly url: string
  readonly kind: string
  readonly kindOption: string | null
  /** WebhookOptions. */
  readonly options: unknown
  readonly deliveryId: string
  readonly event: string
  readonly body: string
  /** This one included. */
  readonly attempts: number
}

interface Candidate extends Attempt {
  readonly deliveryId: string
}

/** Deliveries that one query offers to the limits. */
const CANDIDATES = 200

/** Takes due deliveries under a lease, so that no other process attempts them. */
export class DueDeliveries {
  /** @param leaseMs after that time a delivery without an outcome is due again */
  constructor(
    private readonly database: Pick<Database, '$queryRaw' | 'webhookDelivery'>,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {}

  /**
   * Takes as many due deliveries as the limits admit: first those of working webhooks, then those of failing ones, the
   * longest due first. If two processes choose the same ones, the second takes fewer.
   *
   * @param running the attempts of this process
   */
  async take(running: Iterable<Attempt>): Promise<DueDelivery[]> {
    const now = this.clock.now()
    const limits = new AttemptLimits(running)
    const chosen: string[] = []
    for (let isMore = limits.hasRoom('working'); isMore;) {
      const candidates = await this.candidates(now, limits, chosen)
      const admitted = candidates.filter((candidate) => limits.admit(candidate))
      chosen.push(...admitted.map(({ deliveryId }) => deliveryId))
      // A full page of one organization's backlog may hide others: the next page leaves it out.
      isMore = candidates.length === CANDIDATES && admitted.length > 0 && limits.hasRoom('working')
    }
    return chosen.length === 0 ? [] : this.lease(chosen, now)
  }

  /** Offers the first due deliveries of each webhook that the limits admit. If nothing is due, this is one index lookup. */
  private candidates(now: Date, limits: AttemptLimits, chosen: readonly string[]): Promise<Candidate[]> {
    const { webhookIds, working, failing } = limits.excluded
    const { working: most, failing: mostFailing } = MAX_ATTEMPTS_OF_WEBHOOK
    return this.database.$queryRaw<Candidate[]>`
      SELECT due.id AS "deliveryId", w.id AS "webhookId", w.organization_id AS "organizationId",
        w.failing_since IS NOT NULL AS failing
      FROM webhooks w CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
        WHERE d.webhook_id = w.id AND d.next_attempt_at <= ${now}::timestamptz AND d.id <> ALL (${[...chosen]}::uuid[])
        ORDER BY d.next_attempt_at
        LIMIT CASE WHEN w.failing_since IS NULL THEN ${most}::integer ELSE ${mostFailing}::integer END
      ) due
      WHERE (SELECT min(next_attempt_at) FROM webhook_deliveries) <= ${now}::timestamptz
        AND w.paused_reason IS NULL AND ${NOT_DELETED} AND w.id <> ALL (${[...webhookIds]}::uuid[])
        AND CASE WHEN w.failing_since IS NULL THEN w.organization_id <> ALL (${[...working]}::uuid[])
          ELSE ${limits.hasRoom('failing')}::boolean AND w.organization_id <> ALL (${[...failing]}::uuid[]) END
      ORDER BY failing, due.next_attempt_at
      LIMIT ${CANDIDATES}::integer`
  }

  private lease(ids: readonly string[], now: Date): Promise<DueDelivery[]> {
    const until = new Date(now.getTime() + this.leaseMs)
    return this.database.$queryRaw<DueDelivery[]>`
      WITH due AS (
        SELECT id FROM webhook_deliveries
        WHERE id = ANY (${[...ids]}::uuid[]) AND next_attempt_at <= ${now}::timestamptz
        FOR UPDATE SKIP LOCKED
      )
      UPDATE webhook_deliveries d SET next_attempt_at = ${until}::timestamptz, attempts = d.attempts + 1
      FROM due, webhooks w
      WHERE d.id = due.id AND w.id = d.webhook_id AND ${NOT_DELETED}
      RETURNING w.id, w.id AS "webhookId", w.organization_id AS "organizationId", w.url, w.kind, w.kind_option AS "kindOption", w.options,
        w.failing_since IS NOT NULL AS failing,
        w.secret_box AS "secretBox", w.key_id AS "keyId",
        w.previous_box AS "previousBox", w.previous_key_id AS "previousKeyId", w.previous_until AS "previousUntil",
        d.id AS "deliveryId", d.event, d.body, d.attempts`
  }

  /** Releases the lease of a delivery that was not attempted; the attempt does not count. */
  async release({ deliveryId, attempts }: DueDelivery): Promise<void> {
    await this.database.webhookDelivery.updateMany({
      where: { id: deliveryId, attempts },
      data: { attempts: attempts - 1 },
    })
  }
}
