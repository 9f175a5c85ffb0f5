import { setProjectMember } from '@bearing/contracts/identity/members/project-member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_PROJECT_ROLES_OF_MEMBER, refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { memberNotFound, refuseMappedRole } from '../members/member-row.js'
import { SHOWN, toProjectMember } from './project-member-row.js'
import { refuseBeyondToken } from './refuse-beyond-token.js'
import { refuseForeignProject } from './project-scope.js'
import { requireManager } from './require-manager.js'

const QUOTA = {
  ...{ resource: 'project_roles', limit: MAX_PROJECT_ROLES_OF_MEMBER, raised_by: 'nobody' as const },
  has: 'The member has roles in too many projects of the organization',
  remedy: 'Make the member an admin, or remove a role first',
}

@Controller()
export class SetProjectMember {
  constructor(private readonly database: Database) {}

  /** Changes nothing if the member has the role already. */
  @Handle(setProjectMember)
  async execute(
    input: Input<typeof setProjectMember>,
    by: Principal,
  ): Promise<Output<typeof setProjectMember>> {
    const { role, organization_id: organizationId, project_id: projectId, user_id: userId } = input
    const member = { userId, organizationId, projectId }
    const where = { userId_organizationId_projectId: member }
    const row = await this.database.transaction(async (transaction) => {
      await refuseForeignProject(transaction, input)
      const { admins, members } = await requireManager(transaction, by, input, 'project-member:manage', [
        userId,
      ])
      if (!members.has(userId)) throw memberNotFound()
      const before = await transaction.projectMember.findUnique({ where, select: SHOWN })
      refuseBeyondToken(by, admins.has(userId), [role, before ? toProjectMember(before).role : undefined])
      if (before?.role === role) return before
      if (before) refuseMappedRole(before)
      else refuseBeyond(QUOTA, await transaction.projectMember.count({ where: { userId, organizationId } }))
      recordAudit(transaction, by, {
        action: 'project_member.set',
        target: ['project_member', `${projectId}/${userId}`],
        organizationId,
        details: { role, role_before: before?.role ?? null },
      })
      recordCredentialChange(transaction, `user:${userId}`)
      return transaction.projectMember.upsert({
        where,
        create: { ...member, role },
        update: { role },
        select: SHOWN,
      })
    })
    return toProjectMember(row)
  }
}
