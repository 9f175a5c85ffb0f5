import { showSession } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingSession, noSession } from './calling-session.js'
import { SHOWN, toSession } from './session-row.js'
import { SessionSettings } from './session-settings.js'

@Controller()
export class ShowSession {
  constructor(
    private readonly database: Database,
    private readonly settings: SessionSettings,
  ) {}

  @Handle(showSession)
  async execute(_: Input<typeof showSession>, by: Principal): Promise<Output<typeof showSession>> {
    const id = callingSession(by)
    const row = id && (await this.database.session.findUnique({ where: { id }, select: SHOWN }))
    if (!row) throw noSession('You did not authenticate with a session.')
    return toSession(row, this.settings.idleMs, id)
  }
}
