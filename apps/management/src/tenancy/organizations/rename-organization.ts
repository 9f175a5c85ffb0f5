import { organizationChanged, renameOrganization } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { recordEvent } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { lockOrganizations } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { changeNames } from '../slugs/change-names.js'
import { organizationNotFound, SHOWN, toOrganization } from './organization-row.js'

@Controller()
export class RenameOrganization {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(renameOrganization)
  execute(
    input: Input<typeof renameOrganization>,
    by: Principal,
  ): Promise<Output<typeof renameOrganization>> {
    return this.database.transaction((transaction) => this.rename(transaction, input, by))
  }

  private async rename(
    transaction: Transaction,
    { organization_id: id, ...wanted }: Input<typeof renameOrganization>,
    by: Principal,
  ): Promise<Output<typeof renameOrganization>> {
    await lockOrganizations(transaction, [id])
    const before = await transaction.organization.findUnique({
      where: { id, deletedAt: null },
      select: SHOWN,
    })
    if (!before) throw organizationNotFound()
    const owner = { organizationId: id }
    const write = (data: { name: string; slug: string }) =>
      transaction.organization.update({ where: { id }, data })
    const renamed = await changeNames(transaction, owner, before, wanted, this.clock.now(), write)
    if (!renamed) return toOrganization(before)
    const { details, ...names } = renamed
    recordAudit(transaction, by, {
      action: 'organization.changed',
      target: ['organization', id],
      organizationId: id,
      details,
    })
    recordEvent(transaction, organizationChanged, { organization_id: id, ...names })
    return toOrganization({ ...before, ...names })
  }
}
