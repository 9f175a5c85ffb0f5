import { membershipChanged } from '@bearing/contracts/identity/members/member'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { recordEvent } from '@bearing/service/store/transactions'
import type { Transaction } from '../database.js'
import type { Member } from '../locks.js'
import { recordCredentialChange } from './credential-changes.js'

/**
 * Records that a user's membership changed, and drops cached answers about the user's credentials.
 *
 * @param role the new role; null if the user is no member anymore
 */
export function recordMembershipChange(
  transaction: Transaction,
  { organizationId: organization_id, userId: user_id }: Member,
  role: OrganizationRole | null,
): void {
  recordCredentialChange(transaction, `user:${user_id}`)
  recordEvent(transaction, membershipChanged, { organization_id, user_id, role })
}
