import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id } from '../../primitives.js'

/** `grant_type` of a token exchange (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const SUBJECT_TOKEN_TYPES = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
] as const
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/** The error codes of RFC 6749 §5.2 and RFC 8693 §2.2.2, as `reason` of `token_exchange_refused`. */
export const EXCHANGE_REFUSALS = [
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
] as const
export type ExchangeRefusal = (typeof EXCHANGE_REFUSALS)[number]

/** The longest token that is exchanged, in characters. */
export const MAX_SUBJECT_TOKEN = 16_384

const Parameter = z.string().min(1).max(512)

/** Exchanges a token of a workload for an organization auth token (RFC 8693). */
export const exchangeToken = operation({
  subject: 'identity.v1.workload-token.exchange',
  summary: "Exchange a workload's token for an organization auth token",
  description:
    'Token exchange (RFC 8693), as a form (`application/x-www-form-urlencoded`). `audience` names the organization by slug or id. Errors have the format of RFC 6749 §5.2.',
  input: z.object({
    grant_type: Parameter.describe(`\`${TOKEN_EXCHANGE}\``),
    subject_token: z.string().min(1).max(MAX_SUBJECT_TOKEN).describe("The workload's token: a JWT."),
    subject_token_type: Parameter.describe(SUBJECT_TOKEN_TYPES.map((type) => `\`${type}\``).join(' or ')),
    requested_token_type: Parameter.optional().describe(`\`${ACCESS_TOKEN}\`, if given.`),
    audience: Parameter.optional().describe('The organization: its slug or id.'),
    client_id: Parameter.optional().describe('The id of a trust, where several accept the token.'),
    scope: z
      .string()
      .max(4_096)
      .optional()
      .describe('Permissions, separated by spaces. Left out: all of the trust.'),
    organization_id: Id.nullable().describe('Set by the gateway: the organization that `audience` names.'),
  }),
  output: z
    .object({
      access_token: z.string(),
      issued_token_type: z.literal(ACCESS_TOKEN),
      token_type: z.literal('Bearer'),
      expires_in: z.int().describe('Seconds.'),
      scope: z.string(),
    })
    .meta({ id: 'ExchangedToken' }),
  errors: ['token_exchange_refused', 'rate_limited', 'overloaded'],
  permission: 'public',
})
