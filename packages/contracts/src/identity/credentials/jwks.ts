import { z } from 'zod'
import { operation } from '../../operation.js'
import { Nothing } from '../../primitives.js'

/** Public keys that claims are verified with (RFC 7517; Ed25519, RFC 8037). */
export const getJwks = operation({
  subject: 'identity.v1.jwks',
  summary: 'Give the public keys that claims are verified with',
  input: Nothing,
  output: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  }),
  errors: [],
  permission: 'internal',
})

/** `iss` of claims. */
export const CLAIMS_ISSUER = 'bearing-identity'
/** `alg` of claims. */
export const CLAIMS_ALGORITHM = 'EdDSA'
