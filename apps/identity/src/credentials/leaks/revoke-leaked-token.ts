import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockToken } from '../../ground/locks.js'
import { tokenState } from '../../ground/rules/token-state.js'
import { endDerivedTokens } from '../organization-tokens/end-derived-tokens.js'
import { tokenAudit } from '../organization-tokens/token-audit.js'
import type { LeakOutcome } from './leak-outcome.js'

/** Revokes or flags organization auth tokens that have leaked, as the policy of their organization says. */
@Injectable()
export class RevokeLeakedToken {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
    private readonly clock: Clock,
  ) {}

  async revoke(token: TokenParts, foundAt: string | undefined): Promise<LeakOutcome> {
    if (!(await this.isRight(token))) return 'unknown'
    return this.database.transaction(async (transaction) => {
      await lockToken(transaction, token.id)
      const where = { id: token.id }
      const row = await transaction.organizationToken.findUniqueOrThrow({ where })
      const now = this.clock.now()
      if (tokenState(row, now) !== 'active') return 'inactive'
      const outcome = await outcomeFor(transaction, row.organizationId)
      if (outcome === 'flagged' && row.leakedAt) return outcome
      await transaction.organizationToken.update({
        where,
        data: { leakedAt: row.leakedAt ?? now, ...(outcome === 'revoked' && { deletedAt: now }) },
      })
      recordAudit(transaction, ANONYMOUS, {
        ...tokenAudit('leaked', token.id),
        organizationId: row.organizationId,
        details: { outcome, found_at: foundAt ?? null },
      })
      if (outcome === 'revoked') {
        recordCredentialChange(transaction, `credential:${token.id}`)
        await endDerivedTokens(transaction, token.id, now, true)
      }
      return outcome
    })
  }

  /** Before the lock: otherwise anyone with an id could block changes of the token. */
  private async isRight(token: TokenParts): Promise<boolean> {
    const row = await this.database.organizationToken.findUnique({ where: { id: token.id } })
    const isRefused = row !== null && tokenState(row, this.clock.now()) !== 'active'
    return this.secret.matches(token, row ?? undefined, isRefused ? 'wrong' : 'unverifiable')
  }
}

async function outcomeFor(transaction: Transaction, organizationId: string): Promise<'flagged' | 'revoked'> {
  const rule = await transaction.organizationRule.findUnique({
    where: { organizationId },
    select: { keepsLeakedTokens: true },
  })
  return rule?.keepsLeakedTokens ? 'flagged' : 'revoked'
}
