import { backoffMs } from '@bearing/contracts/backoff'
import { withinCall } from '@bearing/nats/call-context'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'
import { Prisma } from '../../generated/prisma/client.js'
import type { MailText } from '../../ground/rules/mail-text.js'
import type { MailKind } from './mail-queue.js'
import type { SendMail } from './mailer.js'

/** How often the table is looked through, in milliseconds. */
const SWEEP_MS = 500
/** How long a mail is one process's, in milliseconds: longer than sending can take. */
const LEASE_MS = 120_000
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 600_000
/** Mails of a line that are sent at once. */
const BATCH = 10
/** Resets for nobody that go at once. */
const DROP_BATCH = 1_000

/** A mail that waits. */
export interface WaitingMail {
  readonly id: string
  readonly subject: string
  readonly createdAt: Date
  /** IP address of the client whose request caused it. Null: there was none. */
  readonly address: string | null
  /** Which attempt this is, from 1. */
  readonly attempts: number
}

/** Makes the text of a mail when it is sent; undefined where it should not be sent any more. */
export type Compose = (
  mail: WaitingMail,
) => Promise<{ readonly to: string; readonly mail: MailText } | undefined>

interface Row extends WaitingMail {
  readonly kind: MailKind
  readonly requestId: string
}

/**
 * Sends the mails that wait, and tries again until they are sent or of no use any more. A link's secret is made anew at
 * each attempt, so it is never stored; a mail that arrives twice has a link that is dead and one that works.
 */
export class MailRelay extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly send: SendMail,
    private readonly composers: Readonly<Record<MailKind, Compose>>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_MS,
      run: () => this.sendDue(),
      logger,
      failure: 'the mails that wait cannot be read; trying again',
    })
  }

  private async sendDue(): Promise<void> {
    await this.dropResetsOfNobody()
    const mails = await this.claim()
    await Promise.all(mails.map((mail) => this.deliver(mail)))
  }

  /**
   * Takes what is due. Other processes leave it alone for a while. What strangers ask for has a line of its own: it never
   * keeps an invitation waiting.
   */
  private claim(): Promise<Row[]> {
    const now = this.clock.now()
    const leased = new Date(now.getTime() + LEASE_MS)
    const due = (kinds: Prisma.Sql) => Prisma.sql`
      SELECT id FROM mails WHERE kind IN (${kinds}) AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`
    return this.database.$queryRaw<Row[]>`
      WITH wanted AS (${due(Prisma.sql`'invitation', 'password_changed', 'user_key_created', 'new_network'`)}),
           asked_by_strangers AS (${due(Prisma.sql`'password_reset'`)})
      UPDATE mails SET next_attempt_at = ${leased}, attempts = attempts + 1
      WHERE id IN (SELECT id FROM wanted UNION ALL SELECT id FROM asked_by_strangers)
      RETURNING id, kind, subject, created_at AS "createdAt", attempts, address, request_id AS "requestId"`
  }

  /** Most of what strangers ask for is about no account: that costs no more than its deletion. */
  private async dropResetsOfNobody(): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM mails WHERE id IN (
        SELECT id FROM mails
        WHERE kind = 'password_reset' AND next_attempt_at <= ${this.clock.now()}
          AND NOT EXISTS (SELECT 1 FROM users WHERE email = subject)
        ORDER BY next_attempt_at LIMIT ${DROP_BATCH} FOR UPDATE SKIP LOCKED)`
  }

  private async deliver(row: Row): Promise<void> {
    const { id, kind, address, requestId } = row
    try {
      // What is audited meanwhile was asked for by the call that queued the mail.
      const call = { requestId, clientAddress: address ?? undefined, deadlineMs: Infinity }
      const composed = await withinCall(call, () => this.composers[kind](row))
      if (composed) await this.send(composed.to, composed.mail)
      // By id: where it was queued again meanwhile, it has another one.
      await this.database.mail.deleteMany({ where: { id } })
    } catch (error) {
      await this.postpone(row, error)
    }
  }

  private async postpone({ id, kind, attempts }: Row, error: unknown): Promise<void> {
    const reason = reasonOf(error)
    if (reason.permanent) {
      this.logger.warn(
        { mail: id, kind, reason: reason.text },
        'the mail server refuses the address of a mail',
      )
      await this.database.mail.deleteMany({ where: { id } })
      return
    }
    this.logger.warn(
      { mail: id, kind, attempts, reason: reason.text },
      'a mail could not be sent; trying again',
    )
    const pauseMs = backoffMs(attempts, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS })
    await this.database.mail.updateMany({
      where: { id },
      data: { nextAttemptAt: new Date(this.clock.nowMs() + pauseMs) },
    })
  }
}

/** Of nodemailer's errors only the codes are told: their texts hold addresses, and what the server has said. */
function reasonOf(error: unknown): { readonly text: string; readonly permanent: boolean } {
  const { name, code, responseCode } = error as Partial<Record<string, unknown>> // any thrown value has these or not
  const words = [name, code, responseCode].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  )
  const permanent = code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500
  return { text: words.join(' '), permanent }
}
