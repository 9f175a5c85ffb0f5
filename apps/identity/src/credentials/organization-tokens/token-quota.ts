import { refuseBeyond } from '@bearing/contracts/quota'
import type { Transaction } from '../../ground/database.js'

/** Limits how many auth tokens of an organization work at the same time; ended ones do not count. */
export class TokenQuota {
  constructor(private readonly limit: number) {}

  /**
   * Refuses one more token. The caller has locked the admins of the organization, so counts do not race.
   *
   * @throws OperationError `quota_exceeded`
   */
  async refuseAnother(transaction: Transaction, organizationId: string, now: Date): Promise<void> {
    refuseBeyond(this.named(this.limit), await countWorking(transaction, organizationId, now))
  }

  /**
   * Refuses one more token that replaces another with a grace period. Twice as many may work at the same time, so that every token can be
   * replaced with a grace period at the limit.
   *
   * @throws OperationError `quota_exceeded`
   */
  async refuseReplacement(transaction: Transaction, organizationId: string, now: Date): Promise<void> {
    refuseBeyond(this.named(2 * this.limit), await countWorking(transaction, organizationId, now))
  }

  private named(limit: number) {
    return {
      ...{ resource: 'organization_tokens', limit, raised_by: 'operator' as const },
      has: 'The organization has too many auth tokens that work',
      remedy: 'Delete one that nobody uses',
    }
  }
}

function countWorking(transaction: Transaction, organizationId: string, now: Date): Promise<number> {
  const lives = [{ expiresAt: null }, { expiresAt: { gt: now } }]
  return transaction.organizationToken.count({ where: { organizationId, deletedAt: null, OR: lives } })
}
