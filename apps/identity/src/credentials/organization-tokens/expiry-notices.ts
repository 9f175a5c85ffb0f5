import { DAY_MS } from '@bearing/contracts/durations'
import {
  EXPIRY_NOTICE_DAYS,
  organizationTokenExpiring,
  organizationTokenNotice,
} from '@bearing/contracts/identity/tokens/organization-token'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { recordEvent } from '@bearing/service/store/transactions'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { deletedState } from '../../ground/tenant-states.js'
import { noticeOf, type ExpiringToken } from '../../ground/rules/expiry-notice.js'
import { Prisma } from '../../generated/prisma/client.js'
import { ExpiryMails } from './expiry-mails.js'

const INTERVAL_MS = 60_000
/** Notices of one transaction: each may be of another organization, with two statements for its mails. */
const BATCH = 100
/** Tokens of deleted organizations are left for the time after a restoration. */
const OF_DELETED = deletedState(Prisma.sql`organization_tokens.organization_id`)

/**
 * Publishes events and queues mails before organization tokens expire. Each notice is claimed in the transaction that records its
 * events and mails. Webhooks and mails leave out tokens that were replaced.
 */
@Injectable()
export class ExpiryNotices extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: ExpiryMails,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.notify(),
      logger,
      failure: 'Expiry notices could not be recorded. Retrying.',
    })
  }

  /** Records all due notices, the last ones first: of several overdue notices of a token only the last is sent. */
  async notify(): Promise<void> {
    for (const days of [...EXPIRY_NOTICE_DAYS].sort((a, b) => a - b))
      for (const before of [...EXPIRY_NOTICE_DAYS.filter((earlier) => earlier > days), null]) {
        let claimed: number
        do claimed = await this.notifyBatch(days, before)
        while (claimed === BATCH)
      }
  }

  /** @returns how many tokens were claimed */
  private async notifyBatch(days: number, before: number | null): Promise<number> {
    const nowMs = this.clock.nowMs()
    const isBefore =
      before === null ? Prisma.sql`expiry_notice_days IS NULL` : Prisma.sql`expiry_notice_days = ${before}`
    return this.database.transaction(async (transaction) => {
      const claimed = await transaction.$queryRaw<ExpiringToken[]>`
        UPDATE organization_tokens SET expiry_notice_days = ${days}
        WHERE id IN (
          SELECT id FROM organization_tokens
          WHERE deleted_at IS NULL AND cardinality(ancestors) = 0 AND ${isBefore} AND ${OF_DELETED} IS NULL
            AND expires_at > ${new Date(nowMs)} AND expires_at <= ${new Date(nowMs + days * DAY_MS)}
          LIMIT ${BATCH}
          FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING id, organization_id AS "organizationId", created_at AS "createdAt", expires_at AS "expiresAt",
                  replaced_by AS "replacedBy", bound_project_ids AS "boundProjectIds"`
      const unreplaced: ExpiringToken[] = []
      for (const token of claimed) {
        const notice = noticeOf(token, days, nowMs)
        if (!notice) continue
        recordEvent(transaction, organizationTokenExpiring, notice)
        if (token.replacedBy !== null) continue
        const { replaced_by: _, ...data } = notice
        const project_ids = token.boundProjectIds.length > 0 ? [...token.boundProjectIds] : null
        recordEvent(transaction, organizationTokenNotice, { ...data, project_ids })
        unreplaced.push(token)
      }
      await this.mails.add(transaction, unreplaced)
      return claimed.length
    })
  }
}
