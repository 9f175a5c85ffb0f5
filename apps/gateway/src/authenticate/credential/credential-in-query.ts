import { tokenKind } from '@bearing/access/token-format'

/** Query parameters that clients use for credentials (RFC 6750 §2.3 and others). */
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
 * Returns whether a query contains a credential, by the name of a parameter or the prefix of its value. URLs are stored in
 * logs, histories and `Referer` headers, so such a credential is refused.
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
