import { foundOrganization } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { MembershipChanges, type MembershipChange } from '../../ground/events/membership-changes.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockCaller } from '../../people/users/lock-user.js'
import { refuseTooManyOrganizations } from '../members/refuse-too-many-organizations.js'
import { refuseIfItHasMembers } from './refuse-if-it-has-members.js'

@Controller()
export class FoundOrganization {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: MembershipChanges,
  ) {}

  @Handle(foundOrganization)
  async execute(
    input: Input<typeof foundOrganization>,
    by: Principal,
  ): Promise<Output<typeof foundOrganization>> {
    const change = await this.database.transaction((transaction) =>
      this.found(transaction, input.founded_organization_id, by),
    )
    await this.changes.publish(change)
    return {}
  }

  /** @returns undefined where the caller has founded it before */
  private async found(
    transaction: Transaction,
    organizationId: string,
    by: Principal,
  ): Promise<MembershipChange | undefined> {
    const { userId } = callingUser(by)
    await lockCaller(transaction, userId)
    if (await refuseIfItHasMembers(transaction, organizationId, userId)) return undefined
    await refuseTooManyOrganizations(transaction, { organizationId, userId })
    await transaction.membership.create({ data: { organizationId, userId, role: 'admin' } })
    await this.audit.record(transaction, by, {
      action: 'organization.founded',
      target: ['organization', organizationId],
      organizationId,
    })
    return this.changes.record(transaction, { organizationId, userId }, 'admin')
  }
}
