import type { Actor } from '@bearing/service/audit-row'
import { Injectable } from '@nestjs/common'
import { CredentialChanges, type CredentialChange } from '../../ground/events/credential-changes.js'
import type { Transaction } from '../../ground/database.js'
import { callingSession } from '../sessions/calling-session.js'
import { EndSessions } from '../sessions/end-sessions.js'

/** Ends what the password of a user has opened. */
@Injectable()
export class EndSignIns {
  constructor(
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  /**
   * To be called wherever a password is set anew, in that transaction, after the user is locked: links to set a password
   * die, all sessions end but the one that asks, and gateways are told to forget what they know of the user. The API key
   * stays: programs run with it, and it was never derived from the password.
   *
   * Hand the result to {@link CredentialChanges.publish} after the commit.
   */
  async record(
    transaction: Transaction,
    by: Actor,
    { id, email }: { readonly id: string; readonly email: string },
  ): Promise<CredentialChange> {
    await transaction.mail.deleteMany({ where: { kind: 'password_reset', subject: email } })
    await transaction.passwordReset.deleteMany({ where: { userId: id } })
    // Begun by whoever had the old password; to be confirmed it would only take what they still have.
    await transaction.totp.deleteMany({ where: { userId: id, confirmedAt: null } })
    await this.sessions.all(transaction, by, id, callingSession(by))
    return this.changes.record(transaction, `user:${id}`)
  }
}
