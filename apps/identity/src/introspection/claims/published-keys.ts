import { CLAIMS_ALGORITHM, type getJwks } from '@bearing/contracts/identity/jwks'
import type { Output } from '@bearing/contracts/operation'
import type { SigningKey } from '../../ground/rules/read-signing-keys.js'

/** The public halves of the signing keys. */
export class PublishedKeys {
  readonly jwks: Output<typeof getJwks>

  constructor(keys: readonly SigningKey[]) {
    this.jwks = {
      // Each member is named: the private part must not come along.
      keys: keys.map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, alg: CLAIMS_ALGORITHM, use: 'sig' })),
    }
  }
}
