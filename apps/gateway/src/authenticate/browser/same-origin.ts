import { parseToken } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import type { FastifyRequest } from 'fastify'
import { isCsrfToken } from './csrf-token.js'
import { sessionCookies } from './session-cookie.js'

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/** What of a request tells where it comes from. */
export type Sender = Pick<FastifyRequest, 'method' | 'headers' | 'host'>

/**
 * Refuses what other sites make a browser send. A browser adds the cookie to all of it; that it is our own page that asks
 * is shown in three ways, each of which would do: the browser says so (Fetch Metadata), it names our origin, and the page
 * has the token. Where one of them is not known to a browser or a proxy, the others still hold.
 */
export class OwnPages {
  private readonly origin: string | undefined

  /** @param publicUrl address that browsers reach the gateway at; empty: whatever `Host` a request has */
  constructor(publicUrl: string) {
    this.origin = publicUrl === '' ? undefined : new URL(publicUrl).origin
  }

  /**
   * Refuses a request of another site. For signing in, too: a stranger could sign a browser in as themselves, and what its
   * user then enters would be theirs.
   *
   * @throws OperationError `csrf_refused`
   */
  refuseOthers({ headers, host }: Sender): void {
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
   * Refuses what changes something and comes from another site.
   *
   * @throws OperationError `csrf_refused`
   */
  refuseOthersChanges(sender: Sender): void {
    if (!SAFE_METHODS.has(sender.method)) this.refuseOthers(sender)
  }

  /**
   * Refuses what changes something and does not come from our own page with the token of the session.
   *
   * @param token that is in the cookie; one that is not well formed is left to whoever authenticates it
   * @throws OperationError `csrf_refused`
   */
  refuseForged(sender: Sender, token: string): void {
    const session = parseToken(token)
    if (session?.kind !== 'session' || SAFE_METHODS.has(sender.method)) return
    this.refuseOthers(sender)
    const given = sender.headers['x-csrf-token']
    if (typeof given !== 'string' || !isCsrfToken(given, session))
      throw refused(
        'The header X-CSRF-Token is missing or not the one of this session. GET /auth/session has it: send it with everything that changes something.',
      )
  }

  /**
   * Refuses to let another origin start a sign-on in a browser that is signed in: its user would continue as another user
   * without noticing. A page on a sibling subdomain (`same-site`) is another origin. The user's own navigation (`none`) may
   * switch, and a browser without a session may come from anywhere, because partners link to the sign-on.
   *
   * @throws OperationError `csrf_refused`
   */
  refuseSwitching({ headers }: Sender): void {
    const site = headers['sec-fetch-site']
    if (site === undefined || site === 'same-origin' || site === 'none' || headers.cookie === undefined)
      return
    if (sessionCookies([headers.cookie]).length > 0)
      throw new OperationError(
        'csrf_refused',
        'Another site started a sign-on, and this browser is signed in already. Sign out first, or start on our own page.',
      )
  }

  /** The address that a browser reaches us at: where providers send it back to. */
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
