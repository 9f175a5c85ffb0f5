import { endOtherSessions } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'
import { callingSession, connectionOf } from './calling-session.js'
import { endSessionsOfUser } from './end-sessions.js'

@Controller()
export class EndOtherSessions {
  constructor(private readonly database: Database) {}

  @Handle(endOtherSessions)
  async execute(_: Input<typeof endOtherSessions>, by: Principal): Promise<Output<typeof endOtherSessions>> {
    const { userId } = callingUser(by)
    const which = { except: callingSession(by), connectionId: connectionOf(by) }
    const ended_count = await this.database.transaction((transaction) =>
      endSessionsOfUser(transaction, by, userId, which),
    )
    return { ended_count }
  }
}
