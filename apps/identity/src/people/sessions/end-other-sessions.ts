import { endOtherSessions } from '@bearing/contracts/identity/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { callingUser } from '../users/calling-user.js'
import { callingSession, connectionOf } from './calling-session.js'
import { EndSessions } from './end-sessions.js'

@Controller()
export class EndOtherSessions {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  @Handle(endOtherSessions)
  async execute(_: Input<typeof endOtherSessions>, by: Principal): Promise<Output<typeof endOtherSessions>> {
    const { userId } = callingUser(by)
    const current = callingSession(by)
    const connectionId = connectionOf(by)
    const { count, change } = await this.database.transaction((transaction) =>
      connectionId === undefined
        ? this.sessions.all(transaction, by, userId, current)
        : this.sessions.ofUserThrough(transaction, by, userId, connectionId, null, current),
    )
    await this.changes.publish(change)
    return { ended_count: count }
  }
}
