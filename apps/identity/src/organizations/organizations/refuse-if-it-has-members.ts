import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { lockRules } from '../../ground/locks.js'

/**
 * Refuses a first admin for an organization that has members. Concurrent attempts run one after the other.
 *
 * @param except a user who may be the only member, as admin
 * @returns whether that is so
 * @throws OperationError `permission_denied`
 */
export async function refuseIfItHasMembers(
  transaction: Transaction,
  organizationId: string,
  except?: string,
): Promise<boolean> {
  await lockRules(transaction, organizationId)
  const members = await transaction.membership.findMany({ where: { organizationId }, take: 2 })
  const [only] = members
  if (!only) return false
  if (members.length === 1 && only.userId === except && only.role === 'admin') return true
  throw new OperationError('permission_denied', 'The organization has members already.')
}
