import { backoffMs } from '@bearing/contracts/durations'
import { withinCall } from '@bearing/nats/call-context'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import type { MailText } from '../../ground/rules/mail-text.js'
import { Prisma } from '../../generated/prisma/client.js'
import type { MailKind } from './mail-queue.js'
import { Mailer } from './mailer.js'

const INTERVAL_MS = 500
/** Time for which a mail belongs to one process, in milliseconds: longer than sending can take. */
const LEASE_MS = 120_000
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 600_000
/** Mails of a queue sent at the same time. */
const BATCH = 10
/** Password resets for unknown accounts deleted in one statement. */
const DROP_BATCH = 1_000

export interface QueuedMail {
  readonly id: string
  readonly subject: string
  readonly createdAt: Date
  /** IP address of the client whose request caused it, if any. */
  readonly address: string | null
  /** The number of this attempt, from 1. */
  readonly attempts: number
}

/** A mail with its recipient. */
export interface ComposedMail {
  readonly to: string
  readonly mail: MailText
}

/** Composes a mail when it is sent; undefined if it should not be sent anymore. */
export type Compose = (mail: QueuedMail) => Promise<ComposedMail | undefined>

interface Row extends QueuedMail {
  readonly kind: MailKind
  readonly requestId: string
}

/**
 * Sends queued mails, with retry and backoff. Each attempt creates a new link secret, so secrets are never stored: of a
 * mail that is delivered twice, only the last link works.
 */
@Injectable()
export class MailRelay extends BackgroundJob {
  private readonly composers = new Map<MailKind, Compose>()

  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.sendDue(),
      logger,
      failure: 'Queued mails could not be read. Retrying.',
    })
  }

  /** Registers what composes mails of a kind, at startup. */
  register(kind: MailKind, compose: Compose): void {
    this.composers.set(kind, compose)
  }

  override onApplicationBootstrap(): void {
    if (this.mailer.send) this.start()
  }

  private async sendDue(): Promise<void> {
    await this.dropResetsOfUnknown()
    const mails = await this.claim()
    await Promise.all(mails.map((mail) => this.deliver(mail)))
  }

  /** Leases due mails to this process. Requests of anonymous callers have a queue of their own, so they delay nothing else. */
  private claim(): Promise<Row[]> {
    const now = this.clock.now()
    const leased = new Date(now.getTime() + LEASE_MS)
    const due = (kinds: Prisma.Sql) => Prisma.sql`
      SELECT id FROM mails WHERE kind IN (${kinds}) AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`
    return this.database.$queryRaw<Row[]>`
      WITH of_users AS (${due(Prisma.sql`'invitation', 'password_changed', 'email_change_new', 'email_change_old', 'email_changed', 'user_key_created', 'new_network', 'passkey_added', 'passkey_refused', 'tokens_expiring', 'administration_token_created'`)}),
           of_anonymous AS (${due(Prisma.sql`'password_reset'`)})
      UPDATE mails SET next_attempt_at = ${leased}, attempts = attempts + 1
      WHERE id IN (SELECT id FROM of_users UNION ALL SELECT id FROM of_anonymous)
      RETURNING id, kind, subject, created_at AS "createdAt", attempts, address, request_id AS "requestId"`
  }

  /** Deletes password resets for email addresses without an account cheaply: anyone can request them. */
  private async dropResetsOfUnknown(): Promise<void> {
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
      // Audit events belong to the call that queued the mail.
      const call = { requestId, clientAddress: address ?? undefined, deadlineMs: Infinity }
      const composed = await withinCall(call, async () => this.composers.get(kind)?.(row))
      if (composed) await this.mailer.send?.(composed.to, composed.mail)
      // By id: a mail that was queued again meanwhile has a new one.
      await this.database.mail.deleteMany({ where: { id } })
    } catch (error) {
      await this.postpone(row, error)
    }
  }

  private async postpone({ id, kind, attempts }: Row, error: unknown): Promise<void> {
    const { text: reason, permanent } = reasonOf(error)
    if (permanent) {
      this.logger.warn(
        { mail: id, kind, reason },
        'The mail server rejects the recipient of a mail. Deleting it.',
      )
      await this.database.mail.deleteMany({ where: { id } })
      return
    }
    this.logger.warn({ mail: id, kind, attempts, reason }, 'A mail could not be sent. Retrying with backoff.')
    const pauseMs = backoffMs(attempts, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS })
    await this.database.mail.updateMany({
      where: { id },
      data: { nextAttemptAt: new Date(this.clock.nowMs() + pauseMs) },
    })
  }
}

/** Returns only the codes of nodemailer's errors: their texts contain email addresses and replies of the server. */
function reasonOf(error: unknown): { readonly text: string; readonly permanent: boolean } {
  const { name, code, responseCode } = error as Partial<Record<string, unknown>> // any thrown value has these or not
  const words = [name, code, responseCode].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  )
  const permanent = code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500
  return { text: words.join(' '), permanent }
}
