import { setProjectMember } from '@bearing/contracts/identity/project-member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_PROJECT_ROLES_OF_MEMBER, refuseBeyond } from '@bearing/contracts/quota'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { memberNotFound } from '../members/member-row.js'
import { SHOWN, toProjectMember } from './project-member-row.js'
import { refuseForeignProject } from './project-scope.js'
import { refuseUnlessManager } from './refuse-unless-manager.js'

const QUOTA = {
  ...{ resource: 'project_roles', limit: MAX_PROJECT_ROLES_OF_MEMBER, raised_by: 'nobody' as const },
  has: 'The member has roles in too many projects of the organization',
  remedy: 'Make the member an admin, or remove a role first',
}

@Controller()
export class SetProjectMember {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
  ) {}

  /** Giving the role that somebody has already changes nothing. */
  @Handle(setProjectMember)
  async execute(
    input: Input<typeof setProjectMember>,
    by: Principal,
  ): Promise<Output<typeof setProjectMember>> {
    const { role, organization_id: organizationId, project_id: projectId, user_id: userId } = input
    const member = { userId, organizationId, projectId }
    const where = { userId_organizationId_projectId: member }
    const { row, change } = await this.database.transaction(async (transaction) => {
      await refuseForeignProject(transaction, input)
      const members = await refuseUnlessManager(transaction, by, input, 'project-member:manage', [userId])
      if (!members.has(userId)) throw memberNotFound()
      const before = await transaction.projectMember.findUnique({ where, select: SHOWN })
      if (before?.role === role) return { row: before }
      if (!before)
        refuseBeyond(QUOTA, await transaction.projectMember.count({ where: { userId, organizationId } }))
      const row = await transaction.projectMember.upsert({
        where,
        create: { ...member, role },
        update: { role },
        select: SHOWN,
      })
      await this.audit.record(transaction, by, {
        action: 'project_member.set',
        target: ['project_member', `${projectId}/${userId}`],
        organizationId,
        details: { role, role_before: before?.role ?? null },
      })
      return { row, change: await this.changes.record(transaction, `user:${userId}`) }
    })
    await this.changes.publish(change)
    return toProjectMember(row)
  }
}
