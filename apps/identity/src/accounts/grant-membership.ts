import { grantMembership } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../ground/audit/audit-log.js'
import { Database, type Transaction } from '../ground/database.js'
import { lockAdmins } from '../organizations/members/lock-admins.js'
import { MembershipChanges } from '../ground/events/membership-changes.js'
import { lockUser, userNotFound } from '../people/users/lock-user.js'
import { refuseProjectsTwice } from '../organizations/members/refuse-projects-twice.js'

@Controller()
export class GrantMembership {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: MembershipChanges,
  ) {}

  @Handle(grantMembership)
  async execute(
    input: Input<typeof grantMembership>,
    by: Principal,
  ): Promise<Output<typeof grantMembership>> {
    refuseProjectsTwice(input)
    const place = { organizationId: input.organization_id, userId: input.user_id }
    const change = await this.database.transaction(async (transaction) => {
      // Two grants to one user follow each other; else each could delete before the other has written.
      if (!(await lockUser(transaction, place.userId))) throw userNotFound()
      await lockAdmins(transaction, place.organizationId)
      await replaceMembership(transaction, input)
      await this.audit.record(transaction, by, {
        action: 'membership.granted',
        target: ['user', input.user_id],
        organizationId: input.organization_id,
        details: {
          role: input.role,
          project_roles: input.projects.map(({ project_id, role }) => `${project_id}:${role}`),
        },
      })
      return this.changes.record(transaction, place, input.role)
    })
    await this.changes.publish(change)
    return {}
  }
}

async function replaceMembership(
  transaction: Transaction,
  input: Input<typeof grantMembership>,
): Promise<void> {
  const place = { userId: input.user_id, organizationId: input.organization_id }
  await transaction.membership.deleteMany({ where: place })
  await transaction.membership.create({ data: { ...place, role: input.role } })
  await transaction.projectMember.createMany({
    data: input.projects.map(({ project_id, role }) => ({ ...place, projectId: project_id, role })),
  })
}
