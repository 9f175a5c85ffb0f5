import { changeSsoConnection } from '@bearing/contracts/identity/sso/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Prisma } from '../../generated/prisma/client.js'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockConnection } from '../../ground/locks.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { endSessionsOfConnection } from '../../people/sessions/end-sessions.js'
import { callingUser } from '../../people/users/calling-user.js'
import { mappingDetails, refuseMapping, releaseRoles } from '../role-mapping/refuse-mapping.js'
import { OpenidProvider } from '../openid/openid-provider.js'
import type { ProviderMetadata } from '../openid/provider-metadata.js'
import { ClientKeys, NO_KEY, type KeyColumns } from './client-keys.js'
import { ClientSecrets } from './client-secrets.js'
import { SHOWN, noConnection, toConnection } from './connection-row.js'
import { OutboundRequestLimit, sharesOf } from './outbound-request-limit.js'
import { refuseLastConnection } from './refuse-last-connection.js'

type Change = Input<typeof changeSsoConnection>

@Controller()
export class ChangeSsoConnection {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenidProvider,
    private readonly limit: OutboundRequestLimit,
    private readonly secrets: ClientSecrets,
    private readonly keys: ClientKeys,
  ) {}

  @Handle(changeSsoConnection)
  async execute(input: Change, by: Principal): Promise<Output<typeof changeSsoConnection>> {
    const { connection_id: id, organization_id: organizationId } = input
    const { userId } = callingUser(by)
    const metadata = await this.rediscovered(input, userId)
    const key = await this.keyOf(input)
    const row = await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sso-connection:change')
      await refuseMapping(transaction, organizationId, input.role_mapping)
      if (input.role_mapping === null) await releaseRoles(transaction, id)
      if (!(await lockConnection(transaction, id, organizationId))) throw noConnection()
      if (input.enabled === false) await refuseLastConnection(transaction, organizationId, id)
      const row = await this.write(transaction, input, metadata, key)
      if (input.enabled === false) await endSessionsOfConnection(transaction, by, id, organizationId)
      recordAudit(transaction, by, {
        action: 'sso_connection.changed',
        target: ['sso_connection', id],
        organizationId,
        details: {
          name: row.name,
          client_id: row.clientId,
          client_secret_changed: input.client_secret !== undefined,
          ...(input.client_authentication && { client_authentication: input.client_authentication }),
          scopes: row.scopes,
          just_in_time: row.justInTime,
          email_trusted: row.emailTrusted,
          follows_email: row.followsEmail,
          ...mappingDetails(input.role_mapping),
          enabled: row.enabled,
        },
      })
      return row
    })
    return toConnection(row)
  }

  /** Returns the columns of the key; undefined if it stays. */
  private async keyOf({
    connection_id,
    client_authentication: way,
  }: Change): Promise<KeyColumns | undefined> {
    if (way === undefined) return undefined
    return way === 'private_key_jwt' ? this.keys.create(connection_id) : NO_KEY
  }

  private write(
    transaction: Transaction,
    input: Change,
    metadata: ProviderMetadata | undefined,
    key: KeyColumns | undefined,
  ) {
    const { name, client_id, client_secret, scopes, just_in_time, email_trusted, role_mapping, enabled } =
      input
    const id = input.connection_id
    return transaction.ssoConnection.update({
      where: { id },
      data: {
        ...(name !== undefined && { name }),
        ...(client_id !== undefined && { clientId: client_id }),
        ...(client_secret !== undefined && this.secrets.seal(id, client_secret)),
        ...key,
        ...(scopes !== undefined && { scopes }),
        ...(just_in_time !== undefined && { justInTime: just_in_time }),
        ...(email_trusted !== undefined && { emailTrusted: email_trusted }),
        ...(input.follows_email !== undefined && { followsEmail: input.follows_email }),
        ...(role_mapping !== undefined && { roleMapping: role_mapping ?? Prisma.DbNull }),
        ...(enabled !== undefined && { enabled }),
        ...(metadata !== undefined && { metadata }),
      },
      select: SHOWN,
    })
  }

  /** Skipped when a connection is disabled: that must work while the provider is down. */
  private async rediscovered(
    { connection_id, organization_id, enabled, client_authentication }: Change,
    userId: string,
  ): Promise<ProviderMetadata | undefined> {
    if (enabled === false) return undefined
    const row = await this.database.ssoConnection.findUnique({
      where: { id: connection_id, organizationId: organization_id },
      select: { issuer: true, keyPepperId: true },
    })
    if (!row) throw noConnection()
    const present = row.keyPepperId === null ? 'client_secret' : 'private_key_jwt'
    const shares = sharesOf(organization_id, userId)
    return this.limit.run(shares, () => this.provider.discover(row.issuer, client_authentication ?? present))
  }
}
