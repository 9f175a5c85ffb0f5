import { createPartnerConnection } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { OpenidProvider } from '../openid/openid-provider.js'
import { ClientSecrets } from '../connections/client-secrets.js'
import { SHOWN, toPartnerConnection } from './partner-connection-row.js'

@Controller()
export class CreatePartnerConnection {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenidProvider,
    private readonly secrets: ClientSecrets,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createPartnerConnection)
  async execute(
    input: Input<typeof createPartnerConnection>,
    by: Principal,
  ): Promise<Output<typeof createPartnerConnection>> {
    const metadata = await this.provider.discover(input.issuer, 'client_secret')
    const id = this.randomness.newId()
    const row = await this.database.transaction(async (transaction) => {
      const row = await transaction.ssoConnection.create({
        data: {
          id,
          name: input.name,
          issuer: input.issuer,
          clientId: input.client_id,
          ...this.secrets.seal(id, input.client_secret),
          scopes: input.scopes,
          metadata,
          teamIdClaim: input.team_id_claim,
          teamNameClaim: input.team_name_claim,
          joinRole: input.join_role,
          createdAt: this.clock.now(),
        },
        select: SHOWN,
      })
      recordAudit(transaction, by, {
        action: 'sso_connection.created',
        target: ['sso_connection', id],
        details: {
          name: row.name,
          issuer: row.issuer,
          client_id: row.clientId,
          partner: true,
          join_role: input.join_role,
        },
      })
      return row
    })
    return toPartnerConnection(row)
  }
}
