import { OperationError } from '@bearing/contracts/errors'
import { grantMembership } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../audit/audit-log.js'
import { Database, type Transaction } from '../database.js'
import { lockAdmins } from '../members/lock-admins.js'
import { MembershipChanges } from '../events/membership-changes.js'

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
    const change = await this.database.$transaction(async (transaction) => {
      await lockAdmins(transaction, place.organizationId)
      await replaceMembership(transaction, input)
      await this.audit.record(transaction, by, {
        action: 'membership.granted',
        target: ['user', input.user_id],
        organizationId: input.organization_id,
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
  // The lock makes two grants to one user follow each other; else each could delete before the other has written.
  const users = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${input.user_id}::uuid FOR UPDATE`
  if (users.length === 0) throw new OperationError('user_not_found', 'There is no such user.')
  await transaction.membership.deleteMany({ where: place })
  await transaction.membership.create({ data: { ...place, role: input.role } })
  await transaction.projectMember.createMany({
    data: input.projects.map(({ project_id, role }) => ({ ...place, projectId: project_id, role })),
  })
}

function refuseProjectsTwice({ projects }: Input<typeof grantMembership>): void {
  const ids = projects.map(({ project_id }) => project_id)
  const errors = ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [{ pointer: `/projects/${String(index)}/project_id`, detail: 'must not be given twice' }],
  )
  const [first] = errors
  if (first) throw new OperationError('invalid_input', `${first.pointer} ${first.detail}`, { errors })
}
