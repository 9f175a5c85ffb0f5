import { beginSignOn } from '@bearing/contracts/identity/sso/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { noConnection } from '../connections/connection-row.js'
import { CONNECTION_ROW, SignOnAttempts } from './sign-on-attempts.js'

@Controller()
export class BeginSignOn {
  constructor(
    private readonly database: Database,
    private readonly attempts: SignOnAttempts,
  ) {}

  /** Responds alike for organizations without a connection, with several, and unknown ones. */
  @Handle(beginSignOn)
  async execute(input: Input<typeof beginSignOn>): Promise<Output<typeof beginSignOn>> {
    const { connection_id: id, organization_id: organizationId } = input
    const named = id === undefined ? organizationId && { organizationId } : { id }
    if (!named) throw noConnection()
    const [connection, ...others] = await this.database.ssoConnection.findMany({
      where: { enabled: true, ...named },
      select: CONNECTION_ROW,
      take: 2,
    })
    if (!connection || others.length > 0) throw noConnection()
    return this.attempts.start(connection, input)
  }
}
