import { parseToken } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import type { FastifyRequest } from 'fastify'
import { isCsrfToken } from './csrf-token.js'
import { sessionCookies } from './session-cookie.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

const SAFE_METHODS = new Set(['GET', 'HEAD'])

type BrowserRequest = Pick<FastifyRequest, 'method' | 'headers' | 'host'>

/**
 * Refuses requests that other sites make a browser send: the browser adds the cookie to all of them. Each of three checks
 * would be enough: the browser says where a request comes from (Fetch Metadata), it names the origin, and the page has a
 * token. If a browser or a proxy does not support one of them, the others still hold.
 */
@Injectable()
export class SameOriginCheck {
  private readonly origin: string | undefined

  /** Without the setting, the `Host` of each request counts. */
  constructor(@Inject(SETTINGS) { PUBLIC_URL }: Settings) {
    this.origin = PUBLIC_URL === '' ? undefined : new URL(PUBLIC_URL).origin
  }

  /**
   * Requires that a request comes from our own origin. Signing in needs this too: otherwise another site could sign a browser
   * in to an account of its own, and would see what the user enters.
   *
   * @throws OperationError `csrf_refused`
   */
  requireOwnOrigin({ headers, host }: BrowserRequest): void {
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin')
      throw refused('The browser says that the request comes from another site or origin (Sec-Fetch-Site).')
    const { origin } = headers
    if (origin !== undefined && !this.isOwn(origin, host))
      throw refused(
        'The Origin of the request is not the address of this gateway. Use the address in its PUBLIC_URL.',
      )
  }

  /**
   * Requires our own origin for a request that changes something.
   *
   * @throws OperationError `csrf_refused`
   */
  requireOwnOriginForChanges(request: BrowserRequest): void {
    if (!SAFE_METHODS.has(request.method)) this.requireOwnOrigin(request)
  }

  /**
   * Requires our own origin and the CSRF token of the session for a request that changes something.
   *
   * @param token the cookie; authentication refuses a malformed one
   * @throws OperationError `csrf_refused`
   */
  requireCsrfToken(request: BrowserRequest, token: string): void {
    const session = parseToken(token)
    if (session?.kind !== 'session' || SAFE_METHODS.has(request.method)) return
    this.requireOwnOrigin(request)
    const given = request.headers['x-csrf-token']
    if (typeof given !== 'string' || !isCsrfToken(given, session))
      throw refused(
        'The header X-CSRF-Token is missing or not the one of this session. GET /auth/session returns it: send it with every change.',
      )
  }

  /**
   * Returns whether another origin starts a sign-on in a browser that may be signed in: its user could continue as another user
   * without noticing. A page on a sibling subdomain (`same-site`) is another origin. The user's own navigation (`none`) may
   * switch, and a browser without a session may come from anywhere, because partners link to the sign-on.
   */
  isSwitchByAnotherOrigin({ headers }: BrowserRequest): boolean {
    const site = headers['sec-fetch-site']
    if (site === undefined || site === 'same-origin' || site === 'none') return false
    return headers.cookie !== undefined && sessionCookies([headers.cookie]).length > 0
  }

  /** Returns the error for a switch that another origin has started. */
  refuseSwitch(): OperationError {
    return refused(
      'Another site started a sign-on, and this browser is signed in already. Sign out first, or start it on our page.',
    )
  }

  /** Returns the origin that a browser reaches us at, to which providers send it back. */
  originFor({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
    return this.origin ?? `${protocol}://${host}`
  }

  private isOwn(origin: string, host: string): boolean {
    if (this.origin !== undefined) return origin === this.origin
    return URL.parse(origin)?.host === host.toLowerCase()
  }
}

function refused(message: string): OperationError {
  return new OperationError('csrf_refused', message)
}
