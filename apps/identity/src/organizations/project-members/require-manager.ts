import type { Permission } from '@bearing/contracts/permission'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { holdToken, lockAdmins, lockMembers } from '../../ground/locks.js'
import { permissionDenied } from '../members/require-admin.js'
import type { ProjectScope } from './project-scope.js'

/**
 * Refuses callers who do not manage a project now: their claims may be a minute old. Locks the role or token of the caller.
 *
 * @param others members of the organization to lock as well, because their roles change
 * @returns the admins of the organization, and which of the others and the caller are members of it
 * @throws OperationError `permission_denied`
 */
export async function requireManager(
  transaction: Transaction,
  by: Principal,
  project: ProjectScope,
  permission: Permission,
  others: readonly string[] = [],
): Promise<{ readonly admins: ReadonlySet<string>; readonly members: ReadonlySet<string> }> {
  const admins = await lockAdmins(transaction, project.organization_id)
  const callers = by.kind === 'user' ? [by.user_id] : []
  const members = await lockMembers(transaction, project.organization_id, [...callers, ...others])
  // The expiry of a token is in its claims and was checked.
  const may =
    by.kind === 'user'
      ? admins.has(by.user_id) || (await isManager(transaction, by.user_id, project))
      : isOrganizationToken(by) && (await holdToken(transaction, by.credential_id)) !== undefined
  if (!may) throw permissionDenied(permission)
  return { admins, members }
}

async function isManager(
  transaction: Transaction,
  userId: string,
  { organization_id: organizationId, project_id: projectId }: ProjectScope,
): Promise<boolean> {
  const where = { userId_organizationId_projectId: { userId, organizationId, projectId } }
  return (await transaction.projectMember.findUnique({ where }))?.role === 'manager'
}
