import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TokenParts } from '@bearing/access/token-format'

/** Separates it from everything else that is derived from a session's secret. */
const PURPOSE = 'bearing csrf token 1'

/**
 * Derives the CSRF token from the session in the cookie, so nothing is stored. No page can read the cookie, and only pages of
 * our own origin can read the reply that contains the token.
 */
export function csrfToken({ id, secret }: TokenParts): string {
  return createHmac('sha256', secret).update(`${PURPOSE}\0${id}`).digest('base64url')
}

/** Compares in constant time. */
export function isCsrfToken(text: string, session: TokenParts): boolean {
  const expected = Buffer.from(csrfToken(session))
  const given = Buffer.from(text)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
