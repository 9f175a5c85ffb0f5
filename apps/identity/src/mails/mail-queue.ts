import { currentCall } from '@bearing/nats/call-context'
import { storable } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'
import { Mailer } from './mailer.js'

/** What a mail is about. */
export type MailKind = 'invitation' | 'password_reset' | 'password_changed'

/**
 * Writes down that a mail is to be sent, in the transaction that causes it: never is one sent for what did not happen,
 * and neither a crash nor a mail server that is down loses one. {@link import('./mail-relay.js').MailRelay} sends it.
 */
@Injectable()
export class MailQueue {
  constructor(
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Queues a mail, where there is a way to send any. One that waits already is sent at once instead, as if it were new.
   *
   * @param subject the invitation's id, the address that a reset is asked for, or the id of the user who is told
   */
  async add(transaction: Transaction, kind: MailKind, subject: string): Promise<void> {
    if (!this.mailer.send) return
    const call = currentCall()
    const now = this.clock.now()
    const address = call?.clientAddress === undefined ? null : storable(call.clientAddress)
    await transaction.$executeRaw`
      INSERT INTO mails (id, kind, subject, created_at, next_attempt_at, address, request_id)
      VALUES (${this.randomness.newId()}::uuid, ${kind}, ${subject}, ${now}, ${now}, ${address},
              ${storable(call?.requestId ?? '')})
      ON CONFLICT (kind, subject) DO UPDATE
      SET id = excluded.id, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at, attempts = 0,
          address = excluded.address, request_id = excluded.request_id`
  }
}
