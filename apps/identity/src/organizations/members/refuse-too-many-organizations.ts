import { OperationError } from '@bearing/contracts/errors'
import { MAX_ORGANIZATIONS_OF_USER } from '@bearing/contracts/identity/user'
import type { Transaction } from '../../ground/database.js'
import type { Place } from '../../ground/events/membership-changes.js'

/**
 * Refuses one more organization to who belongs to as many as a user may: each of their requests carries all of them. For
 * what users do themselves; the user has to be locked, or two could come in at once.
 *
 * @param place where they would come in; who is there already is refused nothing
 * @throws OperationError `too_many_organizations`
 */
export async function refuseTooManyOrganizations(transaction: Transaction, place: Place): Promise<void> {
  const where = { userId_organizationId: place }
  if (await transaction.membership.findUnique({ where, select: { userId: true } })) return
  const count = await transaction.membership.count({ where: { userId: place.userId } })
  if (count < MAX_ORGANIZATIONS_OF_USER) return
  throw new OperationError(
    'too_many_organizations',
    `The account belongs to ${String(count)} organizations, and one cannot join or create more than ${String(MAX_ORGANIZATIONS_OF_USER)}. Leave one first.`,
  )
}
