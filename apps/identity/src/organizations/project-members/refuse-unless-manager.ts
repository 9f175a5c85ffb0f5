import type { Permission } from '@bearing/contracts/permission'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { lockAdmins, permissionDenied } from '../members/lock-admins.js'
import type { ProjectScope } from './project-scope.js'

/**
 * Refuses who does not manage a project now, whatever their claims say: those may be up to a minute old. Whoever takes the
 * role or the token away at that moment waits until this transaction ends.
 *
 * @param others members of the organization whose places are changed: they stay as they are, like that of the caller
 * @returns those of them, and of the callers, who are members of the organization
 * @throws OperationError `permission_denied`
 */
export async function refuseUnlessManager(
  transaction: Transaction,
  by: Principal,
  project: ProjectScope,
  permission: Permission,
  others: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const admins = await lockAdmins(transaction, project.organization_id)
  const callers = by.kind === 'user' ? [by.user_id] : []
  const members = await lockMembers(transaction, project.organization_id, [...callers, ...others])
  const may =
    by.kind === 'user'
      ? admins.has(by.user_id) || (await isManager(transaction, by.user_id, project))
      : isOrganizationToken(by) && (await isToken(transaction, by.credential_id))
  if (!may) throw permissionDenied(permission)
  return members
}

/** Always in the same order, and after the admins: else two could wait for each other. */
async function lockMembers(
  transaction: Transaction,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.$queryRaw<{ readonly userId: string }[]>`
    SELECT user_id AS "userId" FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY(${[...userIds]}::uuid[])
    ORDER BY user_id
    FOR NO KEY UPDATE`
  return new Set(rows.map(({ userId }) => userId))
}

async function isManager(
  transaction: Transaction,
  userId: string,
  { organization_id: organizationId, project_id: projectId }: ProjectScope,
): Promise<boolean> {
  const where = { userId_organizationId_projectId: { userId, organizationId, projectId } }
  return (await transaction.projectMember.findUnique({ where }))?.role === 'manager'
}

/** Its end is in the claims, and was looked at. */
async function isToken(transaction: Transaction, id: string): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM organization_tokens WHERE id = ${id}::uuid AND deleted_at IS NULL FOR SHARE`
  return rows.length > 0
}
