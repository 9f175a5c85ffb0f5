import type { TokenParts } from '@bearing/access/token-format'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { Database } from '../../ground/database.js'
import type { LeakOutcome } from './leak-outcome.js'

/** Deletes onboarding tokens that have leaked. */
@Injectable()
export class RevokeLeakedOnboardingToken {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
  ) {}

  async revoke(token: TokenParts, foundAt: string | undefined): Promise<LeakOutcome> {
    const where = { id: token.id }
    const row = await this.database.onboardingToken.findUnique({ where })
    if (!this.secret.matches(token, row ?? undefined) || !row) return 'unknown'
    return this.database.transaction(async (transaction) => {
      const { count } = await transaction.onboardingToken.deleteMany({ where })
      if (count === 0) return 'inactive'
      recordAudit(transaction, ANONYMOUS, {
        ...{ action: 'onboarding_token.leaked', target: ['onboarding_token', row.id] },
        organizationId: row.organizationId,
        details: { project_id: row.projectId, found_at: foundAt ?? null },
      })
      return 'revoked'
    })
  }
}
