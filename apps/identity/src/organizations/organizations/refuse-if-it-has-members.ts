import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/**
 * Refuses to make somebody the first admin of an organization that has members already. Of two who found the same
 * organization the second waits here until the transaction of the first ends, and then sees its member.
 *
 * @param except a user whose membership is no obstacle
 * @returns whether that user is the only member, as an admin
 * @throws OperationError `permission_denied`
 */
export async function refuseIfItHasMembers(
  transaction: Transaction,
  organizationId: string,
  except?: string,
): Promise<boolean> {
  await transaction.organizationRule.createMany({ data: { organizationId }, skipDuplicates: true })
  const members = await transaction.membership.findMany({ where: { organizationId }, take: 2 })
  const [only] = members
  if (!only) return false
  if (members.length === 1 && only.userId === except && only.role === 'admin') return true
  throw new OperationError('permission_denied', 'The organization has members already.')
}
