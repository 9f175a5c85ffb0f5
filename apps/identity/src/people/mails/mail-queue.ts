import { currentCall } from '@bearing/nats/call-context'
import { storable } from '@bearing/service/audit/audit-row'
import { only } from '@bearing/service/audit/outbox-backlog'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { MOST_COUNTED, type Backlog } from '@bearing/service/observe/measure-queues'
import { Injectable } from '@nestjs/common'
import type { Database, Transaction } from '../../ground/database.js'
import { Mailer } from './mailer.js'
import { NoticeLimit } from './notice-limit.js'

export type MailKind =
  | 'invitation'
  | 'password_reset'
  | 'password_changed'
  | 'email_change_new'
  | 'email_change_old'
  | 'email_changed'
  | 'tokens_expiring'
  | 'administration_token_created'
  | NoticeKind

/** Notices of changes to an account. Each user receives a limited number of them per day. */
export type NoticeKind = (typeof NOTICE_KINDS)[number]
const NOTICE_KINDS = ['user_key_created', 'new_network', 'passkey_added', 'passkey_refused'] as const
const isNotice = (kind: MailKind): kind is NoticeKind => (NOTICE_KINDS as readonly string[]).includes(kind)

/** Maximum number of queued password resets: anonymous callers can request them for any email address. */
export const MAX_QUEUED_RESETS = 20_000

/** Queues mails in the transaction that causes them. {@link import('./mail-relay.js').MailRelay} sends them after the commit. */
@Injectable()
export class MailQueue {
  constructor(
    private readonly mailer: Mailer,
    private readonly notices: NoticeLimit,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Queues a mail if a mail server is configured, and replaces a queued one about the same subject. Password resets are
   * dropped while too many are queued.
   *
   * @param subject the invitation's id, the email address of a password reset, the user's id (the old address of `email_changed`), or an admin with tokens
   */
  async add(transaction: Transaction, kind: MailKind, subject: string): Promise<void> {
    if (!this.mailer.send) return
    if (isNotice(kind) && !(await this.notices.take(kind, subject))) return
    const call = currentCall()
    const now = this.clock.now()
    const address = call?.clientAddress === undefined ? null : storable(call.clientAddress)
    await transaction.$executeRaw`
      INSERT INTO mails (id, kind, subject, created_at, next_attempt_at, address, request_id)
      SELECT ${this.randomness.newId()}::uuid, ${kind}, ${subject}, ${now}::timestamptz, ${now}::timestamptz, ${address},
             ${storable(call?.requestId ?? '')}
      WHERE ${kind} <> 'password_reset'
         OR (SELECT count(*) FROM (SELECT 1 FROM mails WHERE kind = 'password_reset' LIMIT ${MAX_QUEUED_RESETS}) AS waiting) < ${MAX_QUEUED_RESETS}
      ON CONFLICT (kind, subject) DO UPDATE
      SET id = excluded.id, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at, attempts = 0,
          address = excluded.address, request_id = excluded.request_id`
  }

  /**
   * Queues mails that no request has caused, in one statement. Replaces queued ones about the same subjects.
   *
   * @param subjects all different
   */
  async addAll(transaction: Transaction, kind: MailKind, subjects: readonly string[]): Promise<void> {
    if (!this.mailer.send) return
    const now = this.clock.now()
    await transaction.$executeRaw`
      INSERT INTO mails (id, kind, subject, created_at, next_attempt_at, address, request_id)
      SELECT id, ${kind}, subject, ${now}::timestamptz, ${now}::timestamptz, NULL, ''
      FROM unnest(${subjects.map(() => this.randomness.newId())}::uuid[], ${[...subjects]}::text[]) AS mail (id, subject)
      ORDER BY subject
      ON CONFLICT (kind, subject) DO UPDATE
      SET id = excluded.id, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at, attempts = 0,
          address = excluded.address, request_id = excluded.request_id`
  }
}

/** Measures the mail queue, retries included. */
export async function mailsBacklog(database: Pick<Database, '$queryRaw'>): Promise<Backlog> {
  return only(
    await database.$queryRaw<Backlog[]>`
      SELECT count(*)::integer AS entries, min(created_at) AS since
      FROM (SELECT created_at FROM mails ORDER BY id LIMIT ${MOST_COUNTED}::integer) AS counted`,
  )
}
