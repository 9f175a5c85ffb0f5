import { deleteLegacyToken } from '@bearing/contracts/identity/legacy-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { SHOWN, legacyTokenNotFound, toLegacyToken } from './legacy-token-row.js'

@Controller()
export class DeleteLegacyToken {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly clock: Clock,
  ) {}

  @Handle(deleteLegacyToken)
  async execute(
    input: Input<typeof deleteLegacyToken>,
    by: Principal,
  ): Promise<Output<typeof deleteLegacyToken>> {
    const where = { id: input.legacy_token_id, organizationId: input.organization_id }
    const { row, change } = await this.database.transaction(async (transaction) => {
      const row = await transaction.legacyToken.findFirst({ where, select: SHOWN })
      const { count } = await transaction.legacyToken.deleteMany({ where })
      if (!row || count === 0) throw legacyTokenNotFound()
      await this.audit.record(transaction, by, {
        action: 'legacy_token.deleted',
        target: ['legacy_token', where.id],
        organizationId: where.organizationId,
      })
      return { row, change: await this.changes.record(transaction, `credential:${where.id}`) }
    })
    await this.changes.publish(change)
    return toLegacyToken(row, this.clock.now())
  }
}
