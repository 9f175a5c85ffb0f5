import { CLAIMS_ALGORITHM, type getJwks } from '@bearing/contracts/identity/credentials/jwks'
import type { Output } from '@bearing/contracts/operation'
import type { SigningKey } from '../../ground/rules/read-signing-keys.js'

/** Returns the public halves of signing keys. Each member is named, so that the private one stays out. */
export function jwksOf(keys: readonly SigningKey[]): Output<typeof getJwks> {
  return {
    keys: keys.map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, alg: CLAIMS_ALGORITHM, use: 'sig' })),
  }
}
