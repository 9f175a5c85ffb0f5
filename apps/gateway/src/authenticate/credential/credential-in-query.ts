import { tokenKind } from '@bearing/access/token-format'

/** Names under which clients are known to put credentials into URLs (RFC 6750 §2.3 and its relatives). */
const NAMES = new Set([
  'access_token',
  'auth',
  'auth_token',
  'api_key',
  'apikey',
  'authorization',
  'org_token',
  'password',
  'project_key',
  'secret',
  'token',
])

/**
 * Whether a query holds a credential, by the name of a parameter or the looks of its value. URLs end up in logs,
 * histories and `Referer` headers, so it must not be accepted, and its owner should learn of it.
 *
 * @param query parameters as parsed; a repeated one is an array
 */
export function hasCredentialInQuery(query: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(query).some(
    ([name, value]) =>
      NAMES.has(name.toLowerCase()) ||
      [value].flat().some((text) => typeof text === 'string' && tokenKind(text) !== undefined),
  )
}
