import { MAX_SECRET_LENGTH } from '@bearing/contracts/identity/credential'
import type { FastifyRequest } from 'fastify'

/**
 * The cookie that a browser's session is in. The prefix makes browsers keep to what is said below (RFC 6265bis §4.1.3.2):
 * neither another host of the domain nor plain http can plant one.
 */
export const SESSION_COOKIE = '__Host-bearing_session'

/**
 * `Lax` and not `Strict`: with `Strict` a link in a mail or chat, and the way back from single sign-on, would lead to a
 * page that looks signed out. `Lax` sends the cookie with links only, which change nothing; everything else asks for more
 * (see OwnPages). Without an age, it goes with the browser; when the session ends is for identity to say.
 */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/**
 * The values of all session cookies in the `Cookie` headers of a request.
 *
 * @param headers values of `Cookie`; HTTP/2 allows several
 */
export function sessionCookies(headers: readonly string[]): string[] {
  return cookieValues(SESSION_COOKIE, headers)
}

/** The values of all cookies of a name, as they stand there. Other cookies are none of our business, well formed or not. */
export function cookieValues(name: string, headers: readonly string[]): string[] {
  return headers
    .flatMap((header) => header.split(';'))
    .map((pair) => /^[ \t]*([^=]*)=(.*)$/s.exec(pair))
    .filter((match) => match?.[1]?.trimEnd() === name)
    .map((match) => (match?.[2] ?? '').trim())
}

/** The session that a browser has now; of several nobody knows which one it is. */
export function oneSession({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const [token, ...others] = sessionCookies(headers.cookie === undefined ? [] : [headers.cookie])
  return others.length === 0 && token !== undefined && token.length <= MAX_SECRET_LENGTH ? token : undefined
}

/** The `Set-Cookie` that gives a browser its session. */
export function givenCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`
}

/** The `Set-Cookie` that takes it back. */
export function takenCookie(): string {
  return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
}
