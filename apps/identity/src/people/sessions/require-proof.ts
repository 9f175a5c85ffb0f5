import { OperationError } from '@bearing/contracts/errors'
import { RECENT_SIGN_IN_MINUTES } from '@bearing/contracts/identity/people/session'
import type { Principal, UserPrincipal } from '@bearing/contracts/principal'
import { operationOf } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingSession } from './calling-session.js'
import { recentSession } from './recent-session.js'

/** Refuses what outlives a session to sessions without the proof that the operation declares ({@link import('@bearing/contracts/operation').Proof}). */
@Injectable()
export class RequireProof implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const proof = operationOf(context.getHandler())?.proof
    if (proof === undefined || proof === 'in-request') return true
    const by = context.switchToRpc().getContext<Principal>()
    const id = callingSession(by)
    // An API key or a token is not a session, and needs no proof.
    if (id === undefined || by.kind !== 'user') return true
    if (await recentSession(this.database, by, this.clock.now())) return true
    const session = await this.database.session.findUnique({ where: { id }, select: { host: true } })
    const isBrowser = session?.host === null
    if (proof === 'recent-on-command-line' && isBrowser) return true
    throw notRecent(by, isBrowser)
  }
}

function notRecent({ sso }: UserPrincipal, isBrowser: boolean): OperationError {
  const minutes = `in the last ${String(RECENT_SIGN_IN_MINUTES)} minutes`
  if (sso)
    return refusal(
      isBrowser
        ? `This outlives your session, so it needs a sign-in ${minutes}. Sign in through your identity provider again, and repeat it.`
        : 'This outlives your session, so a command line that was signed in by single sign-on cannot do it. Use the dashboard, just after you signed in there.',
    )
  return refusal(
    isBrowser
      ? `This outlives your session, so it needs your password ${minutes}. Confirm the session with it (POST /auth/session/confirm), or sign in again, and repeat it.`
      : `This outlives the session of your command line, so it needs your password ${minutes}. Confirm the session with it (POST /auth/session/confirm), and repeat it.`,
  )
}

function refusal(message: string): OperationError {
  return new OperationError('recent_sign_in_required', message)
}
