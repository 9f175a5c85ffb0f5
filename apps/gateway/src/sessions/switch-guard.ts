import { OperationError } from '@bearing/contracts/errors'
import { ReturnPath } from '@bearing/contracts/identity/sso/sign-on'
import type { Principal, UserPrincipal } from '@bearing/contracts/principal'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { Authenticator } from '../authenticate/authenticator.js'
import { SameOriginCheck } from '../authenticate/browser/same-origin.js'
import { oneSession } from '../authenticate/browser/session-cookie.js'
import type { Settings } from '../config.js'
import { originOf } from '../ground/origin.js'

/** The page that asks whether to continue as another user. Its button starts the sign-on from our own origin. */
const SWITCH_PAGE = '/sign-on/switch'

/**
 * Decides what happens to a browser that another site sends to a sign-on, such as the console of a partner. A browser that is
 * signed in must not become another user's without its user noticing.
 */
@Injectable()
export class SwitchGuard {
  constructor(
    private readonly sameOrigin: SameOriginCheck,
    private readonly authenticator: Authenticator,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Returns where to send the browser instead of to the provider: straight on if it has a session of this sign-on already, or to the
   * page that asks. Undefined: nobody is signed in, or the sign-on was started on our page, so it may start.
   *
   * @param isSameSignOn whether a session was started through the connection that is asked for
   * @param asked what the page needs to start the sign-on
   * @throws OperationError `csrf_refused` for anything except a navigation; 503 if identity cannot say whether the session is live
   */
  async divert(
    request: FastifyRequest,
    isSameSignOn: (user: UserPrincipal) => boolean,
    asked: Readonly<Record<'connection' | 'organization', string | undefined>>,
  ): Promise<string | undefined> {
    if (!this.sameOrigin.isSwitchByAnotherOrigin(request)) return undefined
    const principal = await this.principalOf(request)
    if (principal === 'signed_out') return undefined
    const { return_to } = request.query as Record<string, unknown> // Fastify's own parser
    const returnTo = ReturnPath.safeParse(return_to).data ?? '/'
    if (principal?.kind === 'user' && isSameSignOn(principal)) return returnTo
    if (!this.settings.DASHBOARD || request.headers['sec-fetch-mode'] !== 'navigate')
      throw this.sameOrigin.refuseSwitch()
    const query = Object.entries({ ...asked, return_to: returnTo }).filter(([, value]) => value !== undefined)
    return `${SWITCH_PAGE}?${new URLSearchParams(query as [string, string][]).toString()}`
  }

  /** Undefined: which session the browser has is unclear. */
  private async principalOf(request: FastifyRequest): Promise<Principal | 'signed_out' | undefined> {
    const token = oneSession(request)
    if (token === undefined) return undefined
    try {
      const credential = { kind: 'session', token } as const
      const caller =
        this.authenticator.recall(credential, originOf(request)) ??
        (await this.authenticator.introspect(credential, originOf(request)))
      return caller.principal
    } catch (error) {
      // Only a certain answer counts: a session that cannot be checked may be live.
      if (error instanceof OperationError && error.status === 401) return 'signed_out'
      throw error
    }
  }
}
