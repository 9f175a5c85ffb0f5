import { showSsoConnection } from '@bearing/contracts/identity/sso/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, noConnection, toConnection } from './connection-row.js'

@Controller()
export class ShowSsoConnection {
  constructor(private readonly database: Database) {}

  @Handle(showSsoConnection)
  async execute(input: Input<typeof showSsoConnection>): Promise<Output<typeof showSsoConnection>> {
    const row = await this.database.ssoConnection.findUnique({
      where: { id: input.connection_id, organizationId: input.organization_id },
      select: SHOWN,
    })
    if (!row) throw noConnection()
    return toConnection(row)
  }
}
