import { MAX_PROJECT_ROLES_OF_MEMBER } from '@bearing/contracts/counts/quota'
import { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'
import type { Actor } from '@bearing/service/audit/audit-row'
import { recordAudit, type Action } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import type { Member } from '../../ground/locks.js'
import { refuseTooManyOrganizations } from '../../organizations/members/refuse-too-many-organizations.js'
import { isForeignProject } from '../../organizations/project-members/project-scope.js'
import { endSessionsInOrganization } from '../../people/sessions/end-sessions.js'
import { isStronger, isStrongerInProject, type MappedRoles } from './mapped-roles.js'

/** Roles of a user that change as the role mapping of a connection says. The admins and the member are locked. */
export interface RoleChange {
  readonly by: Actor
  readonly member: Member
  readonly connectionId: string
  /** Undefined: the user is to be no member. */
  readonly roles: MappedRoles | undefined
  readonly admins: ReadonlySet<string>
  /** True if a user who is no member becomes one. */
  readonly mayJoin: boolean
}

/**
 * Gives and takes the roles of a role mapping. Roles that were given by hand, or by another connection, stay unless the mapping gives a
 * stronger one. The last admin stays admin.
 *
 * @returns `removed` if the user was a member before and is none now
 */
export async function applyRoles(
  transaction: Transaction,
  change: RoleChange,
): Promise<'member' | 'none' | 'removed'> {
  const { by, member, connectionId, roles, admins } = change
  const where = { userId_organizationId: member }
  const before = await transaction.membership.findUnique({
    where,
    select: { role: true, connectionId: true },
  })
  if (!before) {
    if (!roles || !change.mayJoin) return 'none'
    await refuseTooManyOrganizations(transaction, member)
    await transaction.membership.create({ data: { ...member, role: roles.role, connectionId } })
    record(transaction, change, 'membership.granted', { role: roles.role })
    await applyProjects(transaction, change, roles.projects)
    recordMembershipChange(transaction, member, roles.role)
    return 'member'
  }
  const roleBefore = OrganizationRole.parse(before.role)
  const isOwn = before.connectionId === connectionId
  const isLastAdmin = admins.size === 1 && admins.has(member.userId)
  if (isOwn && !roles && !isLastAdmin) {
    await transaction.membership.delete({ where })
    record(transaction, change, 'membership.removed', { role_before: roleBefore })
    await endSessionsInOrganization(transaction, by, member.userId, member.organizationId)
    recordMembershipChange(transaction, member, null)
    return 'removed'
  }
  const role = roles?.role ?? 'member'
  const isChanged = isOwn ? role !== roleBefore && !isLastAdmin : isStronger(role, roleBefore)
  if (isChanged) {
    await transaction.membership.update({ where, data: { role, connectionId } })
    const action = role === 'admin' ? 'membership.promoted' : 'membership.demoted'
    record(transaction, change, action, { role, role_before: roleBefore })
    recordMembershipChange(transaction, member, role)
  }
  const areProjectsChanged = await applyProjects(transaction, change, roles?.projects ?? new Map())
  if (areProjectsChanged && !isChanged) recordCredentialChange(transaction, `user:${member.userId}`)
  return 'member'
}

function record(
  transaction: Transaction,
  { by, member, connectionId }: RoleChange,
  action: Action,
  details: Readonly<Record<string, string>>,
): void {
  const target = ['user', member.userId] as const
  recordAudit(transaction, by, {
    ...{ action, target, organizationId: member.organizationId },
    details: { ...details, connection_id: connectionId },
  })
}

/** @returns whether a role has changed */
async function applyProjects(
  transaction: Transaction,
  { by, member, connectionId }: RoleChange,
  wanted: ReadonlyMap<string, ProjectRole>,
): Promise<boolean> {
  const rows = await transaction.projectMember.findMany({
    where: member,
    select: { projectId: true, role: true, connectionId: true },
  })
  const before = new Map(rows.map((row) => [row.projectId, row]))
  let count = rows.length
  let isChanged = false
  const record = (projectId: string, role: ProjectRole | null, roleBefore: string | null) => {
    isChanged = true
    recordAudit(transaction, by, {
      action: role === null ? 'project_member.removed' : 'project_member.set',
      target: ['project_member', `${projectId}/${member.userId}`],
      organizationId: member.organizationId,
      details: {
        ...(role !== null && { role }),
        role_before: roleBefore,
        connection_id: connectionId,
      },
    })
  }
  for (const { projectId, role, connectionId: origin } of rows)
    if (origin === connectionId && !wanted.has(projectId)) {
      await transaction.projectMember.deleteMany({ where: { ...member, projectId } })
      record(projectId, null, role)
      count--
    }
  for (const [projectId, role] of wanted) {
    const own = before.get(projectId)
    const roleBefore = own === undefined ? undefined : ProjectRole.parse(own.role)
    const isWanted =
      own?.connectionId === connectionId ? role !== roleBefore : isStrongerInProject(role, roleBefore)
    if (!isWanted || (!own && count >= MAX_PROJECT_ROLES_OF_MEMBER)) continue
    const project = { organization_id: member.organizationId, project_id: projectId }
    if (await isForeignProject(transaction, project)) continue
    await transaction.projectMember.upsert({
      where: { userId_organizationId_projectId: { ...member, projectId } },
      create: { ...member, projectId, role, connectionId },
      update: { role, connectionId },
    })
    record(projectId, role, roleBefore ?? null)
    if (!own) count++
  }
  return isChanged
}
