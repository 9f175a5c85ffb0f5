import { tokenKind } from '@bearing/access/token-format'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'

/**
 * A bearer token as legacy location token, where it does not begin like one of ours. Only for routes that accept such
 * tokens: everywhere else they are what they look like, malformed organization tokens.
 */
export function asLegacyToken(credential: PresentedCredential): PresentedCredential {
  return credential.kind === ORGANIZATION_TOKEN && tokenKind(credential.token) === undefined
    ? { kind: 'legacy_token', token: credential.token }
    : credential
}
