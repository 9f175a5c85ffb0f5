import { signOut } from '@bearing/contracts/identity/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { callingUser } from '../users/calling-user.js'
import { callingSession, noSession } from './calling-session.js'
import { EndSessions } from './end-sessions.js'

@Controller()
export class SignOut {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  /** Of two at once both have what they want: it is no mistake that the session has ended already. */
  @Handle(signOut)
  async execute(_: Input<typeof signOut>, by: Principal): Promise<Output<typeof signOut>> {
    const { userId } = callingUser(by)
    const id = callingSession(by)
    if (id === undefined)
      throw noSession('You came with another credential than a session: there is nothing to sign out of.')
    const { change } = await this.database.transaction((transaction) =>
      this.sessions.one(transaction, by, userId, id),
    )
    await this.changes.publish(change)
    return {}
  }
}
