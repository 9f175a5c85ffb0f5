import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/**
 * Refuses to remove the only connection of an organization that requires single sign-on: nobody could sign in anymore. Call
 * it with the admins of the organization locked.
 *
 * @throws OperationError `sso_connection_needed`
 */
export async function refuseLastConnection(
  transaction: Transaction,
  organizationId: string,
  connectionId: string,
): Promise<void> {
  const rule = await transaction.organizationRule.findUnique({ where: { organizationId } })
  if (!rule?.ssoRequired) return
  const others = await transaction.ssoConnection.count({
    where: { organizationId, enabled: true, id: { not: connectionId } },
  })
  if (others === 0)
    throw new OperationError(
      'sso_connection_needed',
      'The organization requires single sign-on, and this is its only connection. Disable the rule first, or create another connection.',
    )
}
