import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { tokenState } from '../../ground/rules/token-state.js'
import type { LeakOutcome } from './leak-outcome.js'
import { tokenAudit } from '../organization-tokens/token-audit.js'

/** Does what its organization wants done with an auth token that has leaked. */
@Injectable()
export class RevokeLeakedToken {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly clock: Clock,
  ) {}

  async revoke(token: TokenParts, foundAt: string | undefined): Promise<LeakOutcome> {
    if (!(await this.isRight(token))) return 'unknown'
    const { outcome, change } = await this.database.transaction(async (transaction) => {
      const row = await lock(transaction, token.id)
      const now = this.clock.now()
      if (tokenState(row, now) !== 'active') return { outcome: 'inactive' as const }
      const outcome = await whatIsWanted(transaction, row.organizationId)
      if (outcome === 'flagged' && row.leakedAt) return { outcome }
      await transaction.organizationToken.update({
        where: { id: token.id },
        data: { leakedAt: row.leakedAt ?? now, ...(outcome === 'revoked' && { deletedAt: now }) },
      })
      await this.audit.record(transaction, ANONYMOUS, {
        ...tokenAudit('leaked', token.id),
        organizationId: row.organizationId,
        details: { outcome, found_at: foundAt ?? null },
      })
      const change =
        outcome === 'revoked' ? await this.changes.record(transaction, `credential:${token.id}`) : undefined
      return { outcome, change }
    })
    await this.changes.publish(change)
    return outcome
  }

  /** Before anything is locked: whoever knows an id could otherwise keep others from changing the token. */
  private async isRight(token: TokenParts): Promise<boolean> {
    const row = await this.database.organizationToken.findUnique({ where: { id: token.id } })
    const isRefused = row !== null && tokenState(row, this.clock.now()) !== 'active'
    return this.secret.matches(token, row ?? undefined, isRefused ? 'wrong' : 'cannot_tell')
  }
}

/** The row of a token that there is, and always will be. It stays as it is until the transaction ends. */
async function lock(transaction: Transaction, id: string) {
  await transaction.$queryRaw`SELECT 1 FROM organization_tokens WHERE id = ${id}::uuid FOR UPDATE`
  return transaction.organizationToken.findUniqueOrThrow({ where: { id } })
}

async function whatIsWanted(
  transaction: Transaction,
  organizationId: string,
): Promise<'flagged' | 'revoked'> {
  const rule = await transaction.organizationRule.findUnique({
    where: { organizationId },
    select: { keepsLeakedTokens: true },
  })
  return rule?.keepsLeakedTokens ? 'flagged' : 'revoked'
}
