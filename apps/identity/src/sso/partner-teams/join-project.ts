import type { Actor } from '@bearing/service/audit/audit-row'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import type { Member } from '../../ground/locks.js'
import { isForeignProject } from '../../organizations/project-members/project-scope.js'

/** First project of a team's people, and their role. */
interface Start {
  readonly projectId: string | null
  readonly role: string | null
}

/**
 * Gives a new member the role of the partner's connection in the project of their team, so that they see its devices. Only when they
 * join: a role that an admin removes later stays removed.
 */
export async function joinProject(
  transaction: Transaction,
  by: Actor,
  member: Member,
  teamId: string,
): Promise<void> {
  const [start] = await transaction.$queryRaw<Start[]>`
    SELECT coalesce(t.join_project_id, t.project_id) AS "projectId", c.join_role AS role
    FROM partner_teams t JOIN sso_connections c ON c.id = t.connection_id WHERE t.id = ${teamId}::uuid`
  if (!start?.projectId || start.role === null) return
  const { projectId, role } = start
  const { organizationId, userId } = member
  if (await isForeignProject(transaction, { organization_id: organizationId, project_id: projectId })) return
  const { count } = await transaction.projectMember.createMany({
    data: [{ ...member, projectId, role }],
    skipDuplicates: true,
  })
  if (count > 0)
    recordAudit(transaction, by, {
      action: 'project_member.set',
      target: ['project_member', `${projectId}/${userId}`],
      organizationId,
      details: { role, role_before: null },
    })
}
