import { signOut } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'
import { callingSession, noSession } from './calling-session.js'
import { endSessionOfUser } from './end-sessions.js'

@Controller()
export class SignOut {
  constructor(private readonly database: Database) {}

  /** Succeeds also if the session has ended already. */
  @Handle(signOut)
  async execute(_: Input<typeof signOut>, by: Principal): Promise<Output<typeof signOut>> {
    const { userId } = callingUser(by)
    const id = callingSession(by)
    if (id === undefined)
      throw noSession('You did not authenticate with a session: there is nothing to sign out of.')
    await this.database.transaction((transaction) => endSessionOfUser(transaction, by, userId, id))
    return {}
  }
}
