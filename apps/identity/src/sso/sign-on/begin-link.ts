import { beginLink } from '@bearing/contracts/identity/sso/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingSession, noSession } from '../../people/sessions/calling-session.js'
import { noConnection } from '../connections/connection-row.js'
import { CONNECTION_ROW, SignOnAttempts } from './sign-on-attempts.js'

@Controller()
export class BeginLink {
  constructor(
    private readonly database: Database,
    private readonly attempts: SignOnAttempts,
  ) {}

  /** Requires a session: the browser has to come back to it. */
  @Handle(beginLink)
  async execute(input: Input<typeof beginLink>, by: Principal): Promise<Output<typeof beginLink>> {
    const sessionId = callingSession(by)
    if (sessionId === undefined)
      throw noSession('Accounts are linked in a browser session: sign in there with the password.')
    const connection = await this.database.ssoConnection.findUnique({
      where: { id: input.connection_id, enabled: true },
      select: CONNECTION_ROW,
    })
    if (!connection) throw noConnection()
    return this.attempts.start(connection, input, sessionId)
  }
}
