import { EXPIRY_NOTICE_DAYS, organizationTokenExpiring } from '@bearing/contracts/identity/organization-token'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { OutboxRelay } from '@bearing/service/outbox-relay'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'
import type { OutboxEvents } from '../../ground/events/outbox-events.js'
import { Prisma } from '../../generated/prisma/client.js'
import { DAY_MS, noticeOf, type EndingToken } from '../../ground/rules/expiry-notice.js'

/** How often it is looked for notices that are due, in milliseconds. */
const EVERY_MS = 60_000
/** Tokens that are told of in one transaction. */
const BATCH = 500

/**
 * Tells that organization tokens are about to expire. Every process of identity looks for those, and whichever finds one
 * claims it in the transaction that writes the event: so each is told once.
 */
export class ExpiryNotices extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly events: OutboxEvents,
    private readonly relay: OutboxRelay,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super({
      intervalMs: EVERY_MS,
      run: () => this.tell(),
      logger,
      failure: 'notices of expiry will be told later',
    })
  }

  /** Tells of every token that a notice is due of. The last notice comes first, so that it is the only one that is late. */
  async tell(): Promise<void> {
    for (const days of [...EXPIRY_NOTICE_DAYS].sort((a, b) => a - b))
      for (const before of [...EXPIRY_NOTICE_DAYS.filter((earlier) => earlier > days), null])
        await this.tellAll(days, before)
  }

  private async tellAll(days: number, before: number | null): Promise<void> {
    let claimed: number
    do claimed = await this.tellBatch(days, before)
    while (claimed === BATCH)
  }

  /** @returns how many tokens were claimed */
  private async tellBatch(days: number, before: number | null): Promise<number> {
    const nowMs = this.clock.nowMs()
    const isBefore =
      before === null ? Prisma.sql`expiry_notice_days IS NULL` : Prisma.sql`expiry_notice_days = ${before}`
    const { claimed, recorded } = await this.database.transaction(async (transaction) => {
      const claimed = await transaction.$queryRaw<EndingToken[]>`
        UPDATE organization_tokens SET expiry_notice_days = ${days}
        WHERE id IN (
          SELECT id FROM organization_tokens
          WHERE deleted_at IS NULL AND ${isBefore}
            AND expires_at > ${new Date(nowMs)} AND expires_at <= ${new Date(nowMs + days * DAY_MS)}
          LIMIT ${BATCH}
          FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING id, organization_id AS "organizationId", created_at AS "createdAt", expires_at AS "expiresAt",
                  replaced_by AS "replacedBy"`
      const told = claimed.flatMap((token) => noticeOf(token, days, nowMs) ?? [])
      const recorded = await this.events.recordAll(transaction, organizationTokenExpiring, told)
      return { claimed: claimed.length, recorded }
    })
    await this.relay.published(recorded)
    return claimed
  }
}
