import { ROUTES } from '@bearing/contracts/routes'
import type { ClientCredential, SessionCredential } from './credential-headers.js'

/** The header in which a page proves that it has read the CSRF token. */
const HEADER = 'x-csrf-token'

/** Keeps the CSRF token of the browser session that a client calls with. It is in memory only. */
export class CsrfToken {
  /** Whether the client calls with a browser session at all. */
  readonly isNeeded: boolean
  private token: string | undefined

  constructor(credential: ClientCredential | SessionCredential | undefined) {
    this.isNeeded = credential?.kind === 'session'
    if (credential?.kind === 'session') this.token = credential.csrfToken
  }

  /** Returns the headers of a request that changes something. */
  headersOf(method: string): Record<string, string> {
    return this.token === undefined || method === 'GET' ? {} : { [HEADER]: this.token }
  }

  /** Takes the token from the reply to a sign-in, so the next change needs no further request. */
  keep(route: unknown, output: unknown): void {
    if (!this.isNeeded || (route !== ROUTES.startSession && route !== ROUTES.showSession)) return
    this.token = (output as { csrf_token?: string }).csrf_token
  }
}
