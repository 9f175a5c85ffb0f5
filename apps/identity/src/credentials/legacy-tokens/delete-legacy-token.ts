import { deleteLegacyToken } from '@bearing/contracts/identity/tokens/legacy-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { SHOWN, legacyTokenNotFound, toLegacyToken } from './legacy-token-row.js'

@Controller()
export class DeleteLegacyToken {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(deleteLegacyToken)
  async execute(
    { legacy_token_id: id, organization_id: organizationId }: Input<typeof deleteLegacyToken>,
    by: Principal,
  ): Promise<Output<typeof deleteLegacyToken>> {
    const where = { id, organizationId }
    const row = await this.database.transaction(async (transaction) => {
      const row = await transaction.legacyToken.findFirst({ where, select: SHOWN })
      const { count } = await transaction.legacyToken.deleteMany({ where })
      if (!row || count === 0) throw legacyTokenNotFound()
      const target = ['legacy_token', id] as const
      recordAudit(transaction, by, { action: 'legacy_token.deleted', target, organizationId })
      recordCredentialChange(transaction, `credential:${id}`)
      return row
    })
    return toLegacyToken(row, this.clock.now())
  }
}
