import { addFirstAdmin } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import type { Member } from '../../ground/locks.js'
import { callingUser, lockCaller } from '../../people/users/calling-user.js'
import { refuseTooManyOrganizations } from '../members/refuse-too-many-organizations.js'
import { refuseIfItHasMembers } from './refuse-if-it-has-members.js'

/** Makes the calling user the first admin of an organization that management is about to create. Idempotent. */
@Controller()
export class AddFirstAdmin {
  constructor(private readonly database: Database) {}

  @Handle(addFirstAdmin)
  async execute(
    { founded_organization_id: organizationId }: Input<typeof addFirstAdmin>,
    by: Principal,
  ): Promise<Output<typeof addFirstAdmin>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      await addAdmin(transaction, { organizationId, userId }, by)
    })
    return {}
  }
}

/** Adds the first admin of an organization, whose account is locked. */
export async function addAdmin(transaction: Transaction, member: Member, by: Principal): Promise<void> {
  const { organizationId, userId } = member
  if (await refuseIfItHasMembers(transaction, organizationId, userId)) return
  await refuseTooManyOrganizations(transaction, member)
  await transaction.membership.create({ data: { ...member, role: 'admin' } })
  const target = ['organization', organizationId] as const
  recordAudit(transaction, by, { action: 'organization.founded', target, organizationId })
  recordMembershipChange(transaction, member, 'admin')
}
