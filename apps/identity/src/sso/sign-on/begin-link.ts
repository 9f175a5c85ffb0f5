import { beginLink } from '@bearing/contracts/identity/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingSession, noSession } from '../../people/sessions/calling-session.js'
import { noConnection } from '../connections/connection-row.js'
import { OpenAttempt } from './open-attempt.js'

@Controller()
export class BeginLink {
  constructor(
    private readonly database: Database,
    private readonly attempts: OpenAttempt,
  ) {}

  /** Only from a session: the way leads through the browser and back, and has to end where it began. */
  @Handle(beginLink)
  async execute(input: Input<typeof beginLink>, by: Principal): Promise<Output<typeof beginLink>> {
    const sessionId = callingSession(by)
    if (sessionId === undefined)
      throw noSession('Accounts are linked from a session of a browser: sign in there with the password.')
    const connection = await this.database.ssoConnection.findUnique({
      where: { id: input.connection_id, enabled: true },
      select: { id: true, clientId: true, scopes: true, metadata: true },
    })
    if (!connection) throw noConnection()
    return this.attempts.open(connection, {
      origin: input.origin,
      browser: input.browser,
      returnTo: input.return_to,
      sessionId,
    })
  }
}
