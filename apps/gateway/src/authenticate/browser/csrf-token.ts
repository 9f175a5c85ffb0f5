import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TokenParts } from '@bearing/access/token-format'

/** Sets it apart from everything else that is ever made out of a session's secret. */
const PURPOSE = 'bearing csrf token 1'

/**
 * The token that a page shows to prove that it is ours: made out of the session in the cookie, which no page can read, so
 * nothing needs to be stored. Only pages of our own origin can read the reply that holds it.
 */
export function csrfToken({ id, secret }: TokenParts): string {
  return createHmac('sha256', secret).update(`${PURPOSE}\0${id}`).digest('base64url')
}

/** Whether a text is the token of a session. Takes the same time wherever they differ. */
export function isCsrfToken(text: string, session: TokenParts): boolean {
  const expected = Buffer.from(csrfToken(session))
  const given = Buffer.from(text)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
