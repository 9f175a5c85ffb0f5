import { createSsoConnection } from '@bearing/contracts/identity/sso/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_SSO_CONNECTIONS, refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { OpenidProvider } from '../openid/openid-provider.js'
import { callingUser } from '../../people/users/calling-user.js'
import { OutboundRequestLimit, sharesOf } from './outbound-request-limit.js'
import { mappingDetails, refuseMapping } from '../role-mapping/refuse-mapping.js'
import { ClientKeys, NO_KEY } from './client-keys.js'
import { ClientSecrets } from './client-secrets.js'
import { SHOWN, toConnection } from './connection-row.js'

const QUOTA = {
  ...{ resource: 'sso_connections', limit: MAX_SSO_CONNECTIONS, raised_by: 'nobody' as const },
  has: 'The organization has too many single sign-on connections',
  remedy: 'Delete one first',
}

@Controller()
export class CreateSsoConnection {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenidProvider,
    private readonly limit: OutboundRequestLimit,
    private readonly secrets: ClientSecrets,
    private readonly keys: ClientKeys,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createSsoConnection)
  async execute(
    input: Input<typeof createSsoConnection>,
    by: Principal,
  ): Promise<Output<typeof createSsoConnection>> {
    const organizationId = input.organization_id
    const { userId } = callingUser(by)
    const shares = sharesOf(organizationId, userId)
    const metadata = await this.limit.run(shares, () =>
      this.provider.discover(input.issuer, input.client_authentication),
    )
    const id = this.randomness.newId()
    const key = input.client_authentication === 'private_key_jwt' ? await this.keys.create(id) : NO_KEY
    const row = await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sso-connection:manage')
      await refuseMapping(transaction, organizationId, input.role_mapping)
      refuseBeyond(QUOTA, await transaction.ssoConnection.count({ where: { organizationId } }))
      const row = await transaction.ssoConnection.create({
        data: {
          id,
          organizationId,
          name: input.name,
          issuer: input.issuer,
          clientId: input.client_id,
          ...this.secrets.seal(id, input.client_secret),
          ...key,
          scopes: input.scopes,
          metadata,
          justInTime: input.just_in_time,
          emailTrusted: input.email_trusted,
          followsEmail: input.follows_email,
          ...(input.role_mapping && { roleMapping: input.role_mapping }),
          createdAt: this.clock.now(),
        },
        select: SHOWN,
      })
      recordAudit(transaction, by, {
        action: 'sso_connection.created',
        target: ['sso_connection', id],
        organizationId,
        details: {
          name: row.name,
          issuer: row.issuer,
          client_id: row.clientId,
          just_in_time: row.justInTime,
          email_trusted: row.emailTrusted,
          follows_email: row.followsEmail,
          ...mappingDetails(input.role_mapping),
        },
      })
      return row
    })
    return toConnection(row)
  }
}
