import { MAX_SECRET_LENGTH } from '@bearing/contracts/identity/credentials/credential'
import type { FastifyRequest } from 'fastify'

/**
 * The cookie of a browser session. Its prefix makes browsers enforce the attributes below (RFC 6265bis §4.1.3.2): neither
 * another host of the domain nor plain http can set one.
 */
export const SESSION_COOKIE = '__Host-bearing_session'

/**
 * `Lax`: with `Strict`, a link in a mail and the redirect from single sign-on would open a page that looks signed out. `Lax`
 * sends the cookie with links only, which change nothing; `SameOriginCheck` covers the rest. The cookie has no age, because
 * identity decides when the session ends.
 */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/**
 * Returns the values of all session cookies.
 *
 * @param headers values of `Cookie`; HTTP/2 allows several
 */
export function sessionCookies(headers: readonly string[]): string[] {
  return cookieValues(SESSION_COOKIE, headers)
}

/** Returns the raw values of all cookies of a name. Other cookies are ignored, well formed or not. */
export function cookieValues(name: string, headers: readonly string[]): string[] {
  return headers
    .flatMap((header) => header.split(';'))
    .map((pair) => /^[ \t]*([^=]*)=(.*)$/s.exec(pair))
    .filter((match) => match?.[1]?.trimEnd() === name)
    .map((match) => (match?.[2] ?? '').trim())
}

/** Returns the session token of a browser; undefined if there is none, or more than one. */
export function oneSession({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const [token, ...others] = sessionCookies(headers.cookie === undefined ? [] : [headers.cookie])
  return others.length === 0 && token !== undefined && token.length <= MAX_SECRET_LENGTH ? token : undefined
}

export function startCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`
}

/** Returns the `Set-Cookie` that removes the session. */
export function removalCookie(): string {
  return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
}
