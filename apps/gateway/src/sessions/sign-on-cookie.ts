import { cookieValues } from '../authenticate/browser/session-cookie.js'

/**
 * The cookie that binds a sign-on to the browser that started it. Otherwise an attacker could make another browser finish the
 * attacker's sign-on (RFC 9700 §2.1).
 */
const SIGN_ON_COOKIE = '__Host-bearing_sign_on'

/** `Lax`, because the provider redirects from another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
/** The longest that a sign-on may take. */
const LIFETIME_S = 600

/** Returns the value of the cookie; undefined if it is missing or not ours. */
export function signOnCookie(header: string | undefined): string | undefined {
  const [value, ...others] = header === undefined ? [] : cookieValues(SIGN_ON_COOKIE, [header])
  return others.length === 0 && value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

export function startSignOnCookie(value: string): string {
  return `${SIGN_ON_COOKIE}=${value}; ${ATTRIBUTES}; Max-Age=${String(LIFETIME_S)}`
}

/** Returns the `Set-Cookie` that removes the cookie. */
export function removalSignOnCookie(): string {
  return `${SIGN_ON_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
}
