import { removeProjectMember } from '@bearing/contracts/identity/members/project-member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { refuseMappedRole } from '../members/member-row.js'
import { SHOWN, projectMemberNotFound, toProjectMember } from './project-member-row.js'
import { refuseBeyondToken } from './refuse-beyond-token.js'
import { refuseForeignProject } from './project-scope.js'
import { requireManager } from './require-manager.js'

@Controller()
export class RemoveProjectMember {
  constructor(private readonly database: Database) {}

  @Handle(removeProjectMember)
  async execute(
    input: Input<typeof removeProjectMember>,
    by: Principal,
  ): Promise<Output<typeof removeProjectMember>> {
    const { organization_id: organizationId, project_id: projectId, user_id: userId } = input
    const member = { userId, organizationId, projectId }
    const row = await this.database.transaction(async (transaction) => {
      await refuseForeignProject(transaction, input)
      const { admins } = await requireManager(transaction, by, input, 'project-member:manage', [userId])
      const row = await transaction.projectMember.findUnique({
        where: { userId_organizationId_projectId: member },
        select: SHOWN,
      })
      if (row) refuseMappedRole(row)
      refuseBeyondToken(by, admins.has(userId), [row ? toProjectMember(row).role : undefined])
      const { count } = await transaction.projectMember.deleteMany({ where: member })
      if (!row || count === 0) throw projectMemberNotFound()
      recordAudit(transaction, by, {
        action: 'project_member.removed',
        target: ['project_member', `${projectId}/${userId}`],
        organizationId,
        details: { role_before: row.role },
      })
      recordCredentialChange(transaction, `user:${userId}`)
      return row
    })
    return toProjectMember(row)
  }
}
