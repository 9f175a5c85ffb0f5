import { refuseBeyond } from '@bearing/contracts/counts/quota'
import type { Transaction } from '../../ground/database.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** Limits the active auth tokens of an organization. */
@Injectable()
export class TokenQuota {
  private readonly limit: number

  constructor(@Inject(SETTINGS) { TOKENS_PER_ORGANIZATION }: Settings) {
    this.limit = TOKENS_PER_ORGANIZATION
  }

  /**
   * Refuses another token. Call it with the admins of the organization locked, so that counts do not race.
   *
   * @throws OperationError `quota_exceeded`
   */
  async refuseAnother(transaction: Transaction, organizationId: string, now: Date): Promise<void> {
    refuseBeyond(this.named(this.limit), await countWorking(transaction, organizationId, now))
  }

  /**
   * Refuses another token that replaces one with a grace period. Twice the limit may be active, so that all tokens can be
   * rotated at the limit.
   *
   * @throws OperationError `quota_exceeded`
   */
  async refuseReplacement(transaction: Transaction, organizationId: string, now: Date): Promise<void> {
    refuseBeyond(this.named(2 * this.limit), await countWorking(transaction, organizationId, now))
  }

  private named(limit: number) {
    return {
      ...{ resource: 'organization_tokens', limit, raised_by: 'nobody' as const },
      has: 'The organization has too many auth tokens that work',
      remedy: 'Delete an unused one',
    }
  }
}

function countWorking(transaction: Transaction, organizationId: string, now: Date): Promise<number> {
  const lives = [{ expiresAt: null }, { expiresAt: { gt: now } }]
  return transaction.organizationToken.count({
    where: { organizationId, deletedAt: null, ancestors: { isEmpty: true }, OR: lives },
  })
}
