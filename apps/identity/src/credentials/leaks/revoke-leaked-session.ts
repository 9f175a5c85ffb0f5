import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Injectable } from '@nestjs/common'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database } from '../../ground/database.js'
import { endSessionOfUser } from '../../people/sessions/end-sessions.js'
import type { LeakOutcome } from './leak-outcome.js'

/** Ends sessions whose token has leaked. Their users sign in again. */
@Injectable()
export class RevokeLeakedSession {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
  ) {}

  async revoke(token: TokenParts): Promise<LeakOutcome> {
    const row = await this.database.session.findUnique({ where: { id: token.id } })
    if (!this.secret.matches(token, row ?? undefined) || !row) return 'unknown'
    const count = await this.database.transaction((transaction) =>
      endSessionOfUser(transaction, ANONYMOUS, row.userId, row.id),
    )
    return count === 1 ? 'revoked' : 'inactive'
  }
}
