import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit-row'
import { Injectable } from '@nestjs/common'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { EndSessions } from '../../people/sessions/end-sessions.js'
import type { LeakOutcome } from './leak-outcome.js'

/** Ends a session whose token has leaked. Its user signs in again: there is nothing to be kept. */
@Injectable()
export class RevokeLeakedSession {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  async revoke(token: TokenParts): Promise<LeakOutcome> {
    const row = await this.database.session.findUnique({ where: { id: token.id } })
    if (!this.secret.matches(token, row ?? undefined) || !row) return 'unknown'
    const { count, change } = await this.database.transaction((transaction) =>
      this.sessions.one(transaction, ANONYMOUS, row.userId, row.id),
    )
    await this.changes.publish(change)
    return count === 1 ? 'revoked' : 'inactive'
  }
}
