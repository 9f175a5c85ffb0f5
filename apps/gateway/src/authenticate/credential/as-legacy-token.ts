import { tokenKind } from '@bearing/access/token-format'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'

/**
 * Returns a bearer token as legacy location token if it has no prefix of Bearing. Only for routes that accept legacy tokens;
 * elsewhere such a token is a malformed organization token.
 */
export function asLegacyToken(credential: PresentedCredential): PresentedCredential {
  return credential.kind === ORGANIZATION_TOKEN && tokenKind(credential.token) === undefined
    ? { kind: 'legacy_token', token: credential.token }
    : credential
}
