import { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import type { Principal } from '@bearing/contracts/principal'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import type { LockedUser } from '../../ground/locks.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { refuseLastAdmin } from '../../organizations/members/require-admin.js'
import { endSessionsInOrganization } from '../../people/sessions/end-sessions.js'
import { applyRoles } from '../role-mapping/apply-roles.js'
import { mappedRoles } from '../role-mapping/mapped-roles.js'
import { findRecord } from './find-record.js'

/** A connection whose provider pushes, with what its transaction has locked. */
export interface Provisioned {
  readonly by: Principal
  readonly organizationId: string
  readonly connectionId: string
  readonly roleMapping: unknown
  readonly followsEmail: boolean
  readonly admins: ReadonlySet<string>
  /** The account of the user that a write names, locked. */
  readonly user: LockedUser | undefined
}

/** A member of the organization. */
export interface AffectedMember {
  readonly userId: string
  readonly email: string
}

/**
 * Makes a member what the provider has pushed about them: no member if they are deactivated or deleted, else with the roles of their groups.
 *
 * @throws OperationError `last_admin`
 */
export async function applyRecord(
  transaction: Transaction,
  provisioned: Provisioned,
  { userId, email }: AffectedMember,
): Promise<void> {
  const { by, organizationId, connectionId, admins } = provisioned
  const member = { organizationId, userId }
  const record = await findRecord(transaction, connectionId, email)
  const mapping = RoleMapping.nullable().parse(provisioned.roleMapping)
  if (record?.active) {
    const roles = mapping && mappedRoles(mapping, record.groups)
    if (mapping)
      await applyRoles(transaction, {
        by,
        member,
        connectionId,
        roles: roles ?? undefined,
        admins,
        mayJoin: false,
      })
    return
  }
  refuseLastAdmin(admins, userId)
  const where = { userId_organizationId: member }
  const row = await transaction.membership.findUnique({ where, select: { role: true } })
  if (!row) return
  await transaction.membership.delete({ where })
  recordAudit(transaction, by, {
    ...{ action: 'membership.removed', target: ['user', userId], organizationId },
    details: { role_before: row.role, connection_id: connectionId },
  })
  await endSessionsInOrganization(transaction, by, userId, organizationId)
  recordMembershipChange(transaction, member, null)
}
