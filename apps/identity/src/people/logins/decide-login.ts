import { isSameNetwork } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { callingSession, noSession } from '../sessions/calling-session.js'
import { callingUser } from '../users/calling-user.js'
import { DeviceLoginRule } from './device-login-rule.js'
import { UserCodeLimit } from './user-code-limit.js'

/** A login that nobody has decided. */
export interface PendingLogin {
  readonly id: string
  readonly userCode: string
  readonly host: string
  readonly address: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A browser session that may decide. */
export interface DecidingSession {
  readonly id: string
  readonly endsAt: Date
}

/** Finds and decides logins for users in browser sessions. */
@Injectable()
export class DecideLogin {
  constructor(
    private readonly database: Database,
    private readonly limit: UserCodeLimit,
    private readonly rule: DeviceLoginRule,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds the pending login of a user code.
   *
   * @throws OperationError `session_not_found` if the caller is not in a browser session, `login_not_found`, `rate_limited`
   */
  async find(by: Principal, userCode: string): Promise<PendingLogin & { readonly session: DecidingSession }> {
    const { userId } = callingUser(by)
    const session = await this.sessionOf(by)
    const login = await this.limit.guard(userId, async () => {
      const where = { userCode, sessionId: null, deniedAt: null, expiresAt: { gt: this.clock.now() } }
      return (await this.database.loginRequest.findFirst({ where })) ?? undefined
    })
    if (!login) throw notFound()
    return { ...login, session }
  }

  /**
   * Decides the pending login of a user code, once.
   *
   * @throws as {@link find}; `device_login_refused` where DEVICE_LOGINS does not let it be allowed
   */
  async decide(by: Principal, userCode: string, decision: 'allowed' | 'denied'): Promise<void> {
    const { session, ...login } = await this.find(by, userCode)
    const now = this.clock.now()
    const from = currentCall()?.clientAddress
    if (decision === 'allowed') this.rule.check(isSameNetwork(login.address, from))
    const allowedFrom = from === undefined ? null : storable(from)
    const data = decision === 'allowed' ? { sessionId: session.id, allowedFrom } : { deniedAt: now }
    await this.database.transaction(async (transaction) => {
      await decideOnce(transaction, login, data, now)
      recordAudit(transaction, by, {
        action: `login.${decision}`,
        target: ['login', login.id],
        details: { host: login.host, address: login.address, requested_at: login.createdAt.toISOString() },
      })
    })
  }

  /** A command line cannot sign in others: an access that was allowed once would never end. */
  private async sessionOf(by: Principal): Promise<DecidingSession> {
    const id = callingSession(by)
    const select = { id: true, endsAt: true, host: true }
    const row = id && (await this.database.session.findUnique({ where: { id }, select }))
    if (!row || row.host !== null)
      throw noSession('Sign in with a browser to decide about a login. Other credentials cannot.')
    return row
  }
}

async function decideOnce(
  transaction: Transaction,
  { id }: PendingLogin,
  data: { readonly sessionId: string; readonly allowedFrom: string | null } | { readonly deniedAt: Date },
  now: Date,
): Promise<void> {
  const where = { id, sessionId: null, deniedAt: null, expiresAt: { gt: now } }
  const { count } = await transaction.loginRequest.updateMany({ where, data })
  if (count === 0) throw notFound()
}

function notFound(): OperationError {
  return new OperationError(
    'login_not_found',
    'No login waits with this code. It was decided, has expired after ten minutes, or the code is mistyped.',
  )
}
