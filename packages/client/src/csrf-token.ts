import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import type { ClientOptions } from './client-options.js'

/** The header in which a page proves that it has read the CSRF token. */
const HEADER = 'x-csrf-token'

/** Keeps the CSRF token of the browser session that a client calls with. It is in memory only. */
export class CsrfToken {
  /** True if the client calls with a browser session. */
  readonly isNeeded: boolean
  private token: string | undefined
  private user: string | undefined

  constructor(credential: ClientOptions['credential']) {
    this.isNeeded = credential?.kind === 'session'
    if (credential?.kind === 'session') this.token = credential.csrfToken
  }

  /** Returns true if a call of a route needs the token, and it was not read. */
  isMissingFor({ method, operation }: Route): boolean {
    return this.isNeeded && this.token === undefined && method !== 'GET' && needsClaims(operation.permission)
  }

  /** Discards the token, which is read again before the next change. */
  discard(): void {
    this.token = undefined
  }

  /** Returns the headers of a request that changes something. */
  headersOf(method: string): Record<string, string> {
    return this.token === undefined || method === 'GET' ? {} : { [HEADER]: this.token }
  }

  /** Takes the token from the reply to a sign-in, so the next change needs no further request, and the user from the first reply. */
  keep(route: unknown, output: unknown): void {
    if (!this.isNeeded) return
    if (route === ROUTES.whoAmI) this.user ??= userOf(output as object)
    if (route === ROUTES.startSession) this.user = undefined
    if (route === ROUTES.startSession || route === ROUTES.showSession)
      this.token = (output as { csrf_token?: string }).csrf_token
  }

  /** Returns false if the client has called for another user since its last sign-in, as far as it has asked. */
  isSameUser(principal: object): boolean {
    return this.user === undefined || this.user === userOf(principal)
  }
}

function userOf(principal: { readonly user_id?: unknown }): string | undefined {
  return typeof principal.user_id === 'string' ? principal.user_id : undefined
}
