import { deleteOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { callingUser } from '../../people/users/calling-user.js'
import { endDerivedTokens } from './end-derived-tokens.js'
import { SHOWN, toOrganizationToken, tokenNotFound } from './organization-token-row.js'
import { tokenAudit } from './token-audit.js'

@Controller()
export class DeleteOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Deleting a deleted token changes nothing. */
  @Handle(deleteOrganizationToken)
  async execute(
    { organization_token_id: id, organization_id: organizationId }: Input<typeof deleteOrganizationToken>,
    by: Principal,
  ): Promise<Output<typeof deleteOrganizationToken>> {
    const where = { id, organizationId }
    const deletedBy = callingUser(by).userId
    const row = await this.database.transaction(async (transaction) => {
      const now = this.clock.now()
      const { count } = await transaction.organizationToken.updateMany({
        where: { ...where, deletedAt: null },
        data: { deletedAt: now, deletedBy },
      })
      if (count > 0) {
        recordAudit(transaction, by, { ...tokenAudit('deleted', id), organizationId })
        recordCredentialChange(transaction, `credential:${id}`)
        await endDerivedTokens(transaction, id, now, true)
      }
      return transaction.organizationToken.findFirst({ where, select: SHOWN })
    })
    if (!row) throw tokenNotFound()
    return toOrganizationToken(row, this.clock.now())
  }
}
