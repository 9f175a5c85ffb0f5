import { deleteOrganizationToken } from '@bearing/contracts/identity/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges, type CredentialChange } from '../../ground/events/credential-changes.js'
import { callingUser } from '../../people/users/calling-user.js'
import { SHOWN, toOrganizationToken, tokenNotFound } from './organization-token-row.js'
import { tokenAudit } from './token-audit.js'

@Controller()
export class DeleteOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly clock: Clock,
  ) {}

  @Handle(deleteOrganizationToken)
  async execute(
    input: Input<typeof deleteOrganizationToken>,
    by: Principal,
  ): Promise<Output<typeof deleteOrganizationToken>> {
    const scope = { id: input.organization_token_id, organizationId: input.organization_id }
    const { row, event } = await this.database.transaction(async (transaction) => {
      const event = await this.delete(transaction, scope, by)
      return { event, row: await transaction.organizationToken.findFirst({ where: scope, select: SHOWN }) }
    })
    if (!row) throw tokenNotFound()
    await this.changes.publish(event)
    return toOrganizationToken(row, this.clock.now())
  }

  /** @returns undefined where there is nothing left to delete */
  private async delete(
    transaction: Transaction,
    scope: { readonly id: string; readonly organizationId: string },
    by: Principal,
  ): Promise<CredentialChange | undefined> {
    const { count } = await transaction.organizationToken.updateMany({
      where: { ...scope, deletedAt: null },
      data: { deletedAt: this.clock.now(), deletedBy: callingUser(by).userId },
    })
    if (count === 0) return undefined
    await this.audit.record(transaction, by, {
      ...tokenAudit('deleted', scope.id),
      organizationId: scope.organizationId,
    })
    return this.changes.record(transaction, `credential:${scope.id}`)
  }
}
