import { currentCall } from '@bearing/nats/call-context'
import { storable } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import { Mailer } from './mailer.js'
import { NoticeLimit } from './notice-limit.js'

/** What a mail is about. */
export type MailKind = 'invitation' | 'password_reset' | 'password_changed' | NoticeKind

/** Mails about what happened to an account, of which a user receives a bounded number a day. */
export type NoticeKind = 'user_key_created' | 'new_network'
const NOTICE_KINDS: readonly string[] = ['user_key_created', 'new_network'] satisfies readonly NoticeKind[]

/** Resets that may wait. Strangers can ask for any number of them, and each address waits once. */
export const MAX_WAITING_RESETS = 20_000

/**
 * Writes down that a mail is to be sent, in the transaction that causes it: never is one sent for what did not happen,
 * and neither a crash nor a mail server that is down loses one. {@link import('./mail-relay.js').MailRelay} sends it.
 */
@Injectable()
export class MailQueue {
  constructor(
    private readonly mailer: Mailer,
    private readonly notices: NoticeLimit,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Queues a mail, where there is a way to send any. One that waits already is sent at once instead, as if it were new.
   * What strangers ask for is dropped while too much of it waits.
   *
   * @param subject the invitation's id, the address that a reset is asked for, or the id of the user who is notified
   */
  async add(transaction: Transaction, kind: MailKind, subject: string): Promise<void> {
    if (!this.mailer.send) return
    if (NOTICE_KINDS.includes(kind) && !(await this.notices.take(kind, subject))) return
    const call = currentCall()
    const now = this.clock.now()
    const address = call?.clientAddress === undefined ? null : storable(call.clientAddress)
    await transaction.$executeRaw`
      INSERT INTO mails (id, kind, subject, created_at, next_attempt_at, address, request_id)
      SELECT ${this.randomness.newId()}::uuid, ${kind}, ${subject}, ${now}::timestamptz, ${now}::timestamptz, ${address},
             ${storable(call?.requestId ?? '')}
      WHERE ${kind} <> 'password_reset'
         OR (SELECT count(*) FROM (SELECT 1 FROM mails WHERE kind = 'password_reset' LIMIT ${MAX_WAITING_RESETS}) AS waiting) < ${MAX_WAITING_RESETS}
      ON CONFLICT (kind, subject) DO UPDATE
      SET id = excluded.id, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at, attempts = 0,
          address = excluded.address, request_id = excluded.request_id`
  }
}
