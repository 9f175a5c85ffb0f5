import { z } from 'zod'

/** Accepted algorithms of ID tokens: asymmetric ones, never `none` or HMAC. */
export const SIGNING_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const Endpoint = z.url({ protocol: /^https?$/ }).max(2_048)

/** The stored part of a provider's metadata (OpenID Connect Discovery 1.0 §3, RFC 9207). */
export const ProviderMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  jwks_uri: Endpoint,
  userinfo_endpoint: Endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z
    .array(z.string())
    .default(['RS256'])
    .transform((algorithms) => algorithms.filter((algorithm) => SIGNING_ALGORITHMS.includes(algorithm)))
    .pipe(z.array(z.string()).min(1)),
  /** Missing at some providers that support PKCE. It is used anyway. */
  code_challenge_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type ProviderMetadata = z.infer<typeof ProviderMetadata>
