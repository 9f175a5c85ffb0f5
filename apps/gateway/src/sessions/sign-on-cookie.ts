import { cookieValues } from '../authenticate/browser/session-cookie.js'

/**
 * The cookie that binds a sign-on to the browser that began it: nobody can have somebody else finish theirs, which would
 * sign them in as a stranger (RFC 9700 §2.1).
 */
const SIGN_ON_COOKIE = '__Host-bearing_sign_on'

/** `Lax`, because the way back from the provider is a link of another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
/** As long as a sign-on may take. */
const LIFETIME_S = 600

/** What a browser has in it; undefined where there is nothing that we have given. */
export function signOnCookie(header: string | undefined): string | undefined {
  const [value, ...others] = header === undefined ? [] : cookieValues(SIGN_ON_COOKIE, [header])
  return others.length === 0 && value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** The `Set-Cookie` that gives it. */
export function givenSignOnCookie(value: string): string {
  return `${SIGN_ON_COOKIE}=${value}; ${ATTRIBUTES}; Max-Age=${String(LIFETIME_S)}`
}

/** The `Set-Cookie` that takes it back. */
export function takenSignOnCookie(): string {
  return `${SIGN_ON_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
}
