import { invalidInput } from '@bearing/contracts/errors'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { lockAdmins, lockUser } from '../../ground/locks.js'
import { isErasing } from '../../ground/tenant-states.js'
import { userNotFound } from '../../people/users/calling-user.js'
import { refuseProjectsTwice } from './refuse-projects-twice.js'

@Controller()
export class GrantMembership {
  constructor(private readonly database: Database) {}

  @Handle(grantMembership)
  async execute(
    input: Input<typeof grantMembership>,
    by: Principal,
  ): Promise<Output<typeof grantMembership>> {
    refuseProjectsTwice(input)
    const { organization_id: organizationId, user_id: userId, role, projects } = input
    const member = { organizationId, userId }
    await this.database.transaction(async (transaction) => {
      if (!(await lockUser(transaction, userId))) throw userNotFound()
      await lockAdmins(transaction, organizationId)
      if (await isErasing(transaction, organizationId))
        throw invalidInput('/organization_id', 'is being erased')
      await transaction.membership.deleteMany({ where: member })
      await transaction.membership.create({ data: { ...member, role } })
      await transaction.projectMember.createMany({
        data: projects.map(({ project_id, role }) => ({ ...member, projectId: project_id, role })),
      })
      recordAudit(transaction, by, {
        action: 'membership.granted',
        target: ['user', userId],
        organizationId,
        details: { role, project_roles: projects.map(({ project_id, role }) => `${project_id}:${role}`) },
      })
      recordMembershipChange(transaction, member, role)
    })
    return {}
  }
}
