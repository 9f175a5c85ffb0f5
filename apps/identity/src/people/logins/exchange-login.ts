import { isSameNetwork } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import { LOGIN_INTERVAL_S, exchangeLogin } from '@bearing/contracts/identity/people/login'
import type { Input, Output } from '@bearing/contracts/operation'
import { SESSION_METHODS } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { deleteLoginRequest, lockUser } from '../../ground/locks.js'
import { hashLinkSecret } from '../../ground/rules/link-secret.js'
import { OpenSession } from '../sessions/open-session.js'
import { DeviceLoginRule } from './device-login-rule.js'

/** Time by which a poll may be received too early, in milliseconds: the network delays some more than others. */
const TOLERANCE_MS = 1_000
/** The longest time between two polls that is asked for, in seconds. */
const MAX_INTERVAL_S = 60

interface Row {
  readonly id: string
  readonly host: string
  readonly address: string | null
  readonly allowedFrom: string | null
  readonly intervalS: number
  readonly polledAt: Date | null
}

@Controller()
export class ExchangeLogin {
  constructor(
    private readonly database: Database,
    private readonly sessions: OpenSession,
    private readonly rule: DeviceLoginRule,
    private readonly clock: Clock,
  ) {}

  @Handle(exchangeLogin)
  async execute({
    device_code,
    user_agent,
  }: Input<typeof exchangeLogin>): Promise<Output<typeof exchangeLogin>> {
    const row = await this.database.loginRequest.findUnique({
      where: { codeHash: hashLinkSecret(device_code) },
    })
    if (!row || row.expiresAt <= this.clock.now()) throw expired()
    if (row.deniedAt) throw new OperationError('access_denied', 'The login was denied in the browser.')
    this.rule.checkAny()
    const { sessionId } = row
    if (sessionId === null) throw await this.pending(row)
    return this.database.transaction((transaction) => this.open(transaction, row, sessionId, user_agent))
  }

  /** Starts the session that a browser session has allowed. Of several callers one receives it. */
  private async open(
    transaction: Transaction,
    { id, host, address, allowedFrom }: Row,
    sessionId: string,
    userAgent: string | undefined,
  ): Promise<Output<typeof exchangeLogin>> {
    const sameNetwork = isSameNetwork(address, allowedFrom)
    this.rule.check(sameNetwork)
    const by = await transaction.session.findUnique({ where: { id: sessionId } })
    const user = by && (await lockUser(transaction, by.userId))
    const [first, ...others] = SESSION_METHODS.filter((method) => by?.methods.includes(method))
    if (!user || first === undefined || by.endsAt <= this.clock.now()) throw expired()
    const { session, token } = await this.sessions.open(transaction, {
      userId: user.id,
      // As the browser session: what its user has proven, and how far it reaches.
      methods: [first, ...others],
      connectionId: by.connectionId ?? undefined,
      providerSid: by.providerSid ?? undefined,
      partnerTeamId: by.partnerTeamId ?? undefined,
      userAgent,
      host,
      sameNetwork,
      endsAt: by.endsAt,
    })
    // Gone if the browser session has ended meanwhile, or if another call was faster.
    if (!(await deleteLoginRequest(transaction, id))) throw expired()
    return { access_token: token, token_type: 'Bearer', user_id: user.id, email: user.email, session }
  }

  /** Returns the error for a login that nobody has decided. If it is polled too often, the interval grows (RFC 8628 §3.5). */
  private async pending({ id, intervalS, polledAt }: Row): Promise<OperationError> {
    const now = this.clock.now()
    const nextMs = polledAt ? polledAt.getTime() + intervalS * 1_000 - TOLERANCE_MS : 0
    const isTooSoon = now.getTime() < nextMs
    const wait = isTooSoon ? Math.min(intervalS + LOGIN_INTERVAL_S, MAX_INTERVAL_S) : intervalS
    await this.database.loginRequest.updateMany({ where: { id }, data: { polledAt: now, intervalS: wait } })
    const details = { retry_after: wait }
    return isTooSoon
      ? new OperationError('slow_down', `Wait ${String(wait)} seconds between two polls.`, details)
      : new OperationError('authorization_pending', 'Nobody has allowed the login yet.', details)
  }
}

/** The same error for a code that never existed, was used, or has expired. */
function expired(): OperationError {
  return new OperationError(
    'expired_token',
    'The login has expired after ten minutes, was completed, or the browser session that allowed it has ended. Start again.',
  )
}
