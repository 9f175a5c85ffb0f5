import { endSession } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'
import { connectionOf, noSession } from './calling-session.js'
import { endSessionOfUser } from './end-sessions.js'

@Controller()
export class EndSession {
  constructor(private readonly database: Database) {}

  @Handle(endSession)
  async execute({ session_id }: Input<typeof endSession>, by: Principal): Promise<Output<typeof endSession>> {
    const { userId } = callingUser(by)
    const count = await this.database.transaction((transaction) =>
      endSessionOfUser(transaction, by, userId, session_id, connectionOf(by)),
    )
    if (count === 0) throw noSession('You have no such session. It may have ended already.')
    return {}
  }
}
