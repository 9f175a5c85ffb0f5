import { listSessions } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'
import { callingSession, connectionOf } from './calling-session.js'
import { SHOWN, toSession } from './session-row.js'
import { SessionSettings } from './session-settings.js'

@Controller()
export class ListSessions {
  constructor(
    private readonly database: Database,
    private readonly settings: SessionSettings,
    private readonly clock: Clock,
  ) {}

  @Handle(listSessions)
  async execute(input: Input<typeof listSessions>, by: Principal): Promise<Output<typeof listSessions>> {
    const now = this.clock.now()
    const { idleMs } = this.settings
    const idleSince = new Date(now.getTime() - idleMs)
    const where = {
      userId: callingUser(by).userId,
      ...within(by),
      endsAt: { gt: now },
      lastSeenAt: { gt: idleSince },
    }
    const [count, rows] = await Promise.all([
      this.database.session.count({ where }),
      this.database.session.findMany({
        where,
        select: SHOWN,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const current = callingSession(by)
    return page(
      rows.map((row) => toSession(row, idleMs, current)),
      count,
      input,
    )
  }
}

/** A session of single sign-on lists only sessions of its connection: the owner of a provider can sign in as any user. */
function within(by: Principal): { connectionId?: string } {
  const connectionId = connectionOf(by)
  return connectionId === undefined ? {} : { connectionId }
}
