import { DAY_MS } from '@bearing/contracts/durations'
import { OperationError } from '@bearing/contracts/errors'
import { administers } from '@bearing/contracts/identity/tokens/token-presets'
import type { Transaction } from '../../ground/database.js'
import { earliest } from '../../ground/rules/earliest.js'
import { toPolicy } from './policy-row.js'

/**
 * Returns the latest expiry that an organization allows for a new token with some permissions; null if it may never expire.
 *
 * @throws OperationError `administration_forbidden` if they administer and the policy forbids it
 */
export async function latestTokenEnd(
  transaction: Transaction,
  organizationId: string,
  permissions: readonly string[],
  now: Date,
): Promise<Date | null> {
  const policy = toPolicy(await transaction.organizationRule.findUnique({ where: { organizationId } }))
  const after = (days: number | null) => (days === null ? null : new Date(now.getTime() + days * DAY_MS))
  if (!administers(permissions)) return after(policy.max_lifetime_days)
  if (policy.administration === 'forbid')
    throw new OperationError(
      'administration_forbidden',
      'The policy of the organization forbids tokens that administer. Leave out these permissions, or ask an admin to change the policy.',
    )
  return earliest(after(policy.max_lifetime_days), after(policy.administration_max_lifetime_days))
}
