import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import type { LeakOutcome } from './leak-outcome.js'

/** Deletes user API keys that have leaked. A key reaches all organizations of its user, so no single policy may keep it. */
@Injectable()
export class RevokeLeakedUserKey {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
  ) {}

  async revoke(key: TokenParts, foundAt: string | undefined): Promise<LeakOutcome> {
    const where = { id: key.id }
    const row = await this.database.userKey.findUnique({ where })
    if (!this.secret.matches(key, row ?? undefined)) return 'unknown'
    return this.database.transaction(async (transaction) => {
      const { count } = await transaction.userKey.deleteMany({ where })
      if (count === 0) return 'inactive'
      recordAudit(transaction, ANONYMOUS, {
        action: 'user_key.leaked',
        target: ['user_key', key.id],
        details: { found_at: foundAt ?? null },
      })
      recordCredentialChange(transaction, `credential:${key.id}`)
      return 'revoked'
    })
  }
}
