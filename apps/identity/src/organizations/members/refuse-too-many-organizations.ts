import { OperationError } from '@bearing/contracts/errors'
import { MAX_ORGANIZATIONS_OF_USER } from '@bearing/contracts/identity/people/user'
import type { Transaction } from '../../ground/database.js'
import type { Member } from '../../ground/locks.js'

/**
 * Refuses another organization to users who belong to the maximum: each of their requests carries all of them. Applies to
 * what users do themselves, with the user locked.
 *
 * @param member a present member is not refused
 * @throws OperationError `too_many_organizations`
 */
export async function refuseTooManyOrganizations(transaction: Transaction, member: Member): Promise<void> {
  const where = { userId_organizationId: member }
  if (await transaction.membership.findUnique({ where, select: { userId: true } })) return
  const count = await transaction.membership.count({ where: { userId: member.userId } })
  if (count < MAX_ORGANIZATIONS_OF_USER) return
  throw new OperationError(
    'too_many_organizations',
    `The account belongs to ${String(count)} organizations, and a user cannot join or create more than ${String(MAX_ORGANIZATIONS_OF_USER)}. Leave one first.`,
  )
}
