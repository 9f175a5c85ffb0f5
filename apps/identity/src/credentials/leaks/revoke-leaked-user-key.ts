import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit-row'
import { Injectable } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges, type CredentialChange } from '../../ground/events/credential-changes.js'
import type { LeakOutcome } from './leak-outcome.js'

/**
 * Takes away an API key that has leaked. It opens every organization of its user, so none of them alone could say that
 * it is to be kept.
 */
@Injectable()
export class RevokeLeakedUserKey {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
  ) {}

  async revoke(key: TokenParts, foundAt: string | undefined): Promise<LeakOutcome> {
    const row = await this.database.userKey.findUnique({ where: { id: key.id } })
    if (!this.secret.matches(key, row ?? undefined)) return 'unknown'
    const change = await this.database.transaction((transaction) =>
      this.delete(transaction, key.id, foundAt),
    )
    await this.changes.publish(change)
    return change ? 'revoked' : 'inactive'
  }

  /** @returns undefined where somebody else was quicker */
  private async delete(
    transaction: Transaction,
    id: string,
    foundAt: string | undefined,
  ): Promise<CredentialChange | undefined> {
    const { count } = await transaction.userKey.deleteMany({ where: { id } })
    if (count === 0) return undefined
    await this.audit.record(transaction, ANONYMOUS, {
      action: 'user_key.leaked',
      target: ['user_key', id],
      details: { found_at: foundAt ?? null },
    })
    return this.changes.record(transaction, `credential:${id}`)
  }
}
