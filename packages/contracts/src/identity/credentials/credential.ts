import { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import { event, operation } from '../../operation.js'
import { Permission } from '../../permission.js'
import { ORGANIZATION_TOKEN, Principal } from '../../principal.js'
import { Id, ServiceName, orNull } from '../../primitives.js'

/** The longest secret that is looked at, in characters. Ours have 76; passwords may be long. */
export const MAX_SECRET_LENGTH = 1024

const Secret = z.string().min(1).max(MAX_SECRET_LENGTH)
const PresentedToken = z.object({ kind: z.literal(ORGANIZATION_TOKEN), token: Secret })
/** A service or evaluation token of the location service from before organization auth tokens. */
const PresentedLegacyToken = z.object({ kind: z.literal('legacy_token'), token: Secret })
const PresentedUser = z.object({ kind: z.literal('user'), email: z.string().min(1).max(254), secret: Secret })
const PresentedKey = z.object({ kind: z.literal('project_key'), key: Secret })
/** A token that a device has signed (RFC 7519). */
const PresentedDeviceToken = z.object({
  kind: z.literal('device_token'),
  token: Secret,
  project_key: Secret.optional().describe(
    'The project key that was sent beside the token. With it, a token whose `kid` names no key is found by its `sub`.',
  ),
  or_legacy: z
    .literal(true)
    .optional()
    .describe('Whether the token may be a legacy token: on routes that accept these.'),
})
/** The longest certificate that is looked at, in characters of base64. */
export const MAX_CERTIFICATE_LENGTH = 8_192
/** The most certificates beside that of the device. */
export const MAX_CHAIN = 4
const Certificate = z.base64().min(1).max(MAX_CERTIFICATE_LENGTH)
/** The certificate with which a client has opened its TLS connection. The gateway or its proxy has verified that the client has its key. */
const PresentedCertificate = z.object({
  kind: z.literal('device_certificate'),
  certificate: Certificate.describe('DER in base64.'),
  chain: z
    .array(Certificate)
    .max(MAX_CHAIN)
    .optional()
    .describe('The certificates that lead to its CA, each signed by the next one.'),
  project_key: Secret.optional().describe('The project key that was sent beside the certificate.'),
})
const PresentedSession = z.object({ kind: z.literal('session'), token: Secret })

/** A credential as it was presented. */
export type PresentedCredential =
  | z.infer<typeof PresentedToken>
  | z.infer<typeof PresentedLegacyToken>
  | z.infer<typeof PresentedUser>
  | z.infer<typeof PresentedKey>
  | z.infer<typeof PresentedDeviceToken>
  | z.infer<typeof PresentedCertificate>
  | z.infer<typeof PresentedSession>

/** Reasons to refuse a token although a key of the device has signed it. */
export const DEVICE_TOKEN_REFUSALS = [
  'device_identity_off',
  'device_token_from_future',
  'device_token_too_long',
  'device_token_without_expiry',
  'device_token_for_other',
] as const

/** Reasons to refuse a certificate although its device has the key. */
export const DEVICE_CERTIFICATE_REFUSALS = [
  'device_certificate_not_registered',
  'device_certificate_for_other',
] as const

/** Lifetime of an introspection in identity's own cache, in milliseconds. */
export const IDENTITY_CACHE_MS = 5_000

const Asked = {
  fresh: orNull(z.boolean()).describe('Requires an answer from the database, not from a cache.'),
  audience: orNull(ServiceName).describe(
    'The service that claims are wanted for. Left out: the answer has no claims.',
  ),
  organization_id: orNull(Id).describe(
    'The organization that the request is about, for the claims of a user. Left out: a request of users about themselves.',
  ),
}

/** A credential to introspect. */
export const IntrospectionRequest = z
  .discriminatedUnion('kind', [
    PresentedToken.extend(Asked),
    PresentedLegacyToken.extend(Asked),
    PresentedUser.extend(Asked),
    PresentedKey.extend(Asked),
    PresentedDeviceToken.extend(Asked),
    PresentedCertificate.extend(Asked),
    PresentedSession.extend(Asked),
  ])
  .meta({ id: 'IntrospectionRequest' })

/** The outcome of an introspection. "Cannot verify" is not one of them: that is an error (503). */
export const Introspection = z
  .discriminatedUnion('active', [
    z.object({
      active: z.literal(true),
      principal: Principal,
      claims: z
        .string()
        .optional()
        .describe(
          'The principal as a signed JWT (EdDSA), to send in the header `Bearing-Identity`; only if the question names an audience. The claims of a user have at most the grant on the organization that the question names.',
        ),
      claims_expire_at: z
        .int()
        .optional()
        .describe('When the claims expire, in seconds since 1970 (the `exp` of the JWT).'),
      age_ms: z
        .int()
        .min(0)
        .describe(
          "Age of this result, in milliseconds. A caller that has received a change to one of the principal's tags since then asks again with `fresh`: the process of identity that answered has not received it yet.",
        ),
    }),
    z.object({
      active: z.literal(false),
      reason: z.enum(['malformed', 'unknown', 'expired']),
      because: z
        .enum([
          ...(['second_factor_required', 'organization_deleted', 'project_deleted'] as const),
          ...DEVICE_TOKEN_REFUSALS,
          ...DEVICE_CERTIFICATE_REFUSALS,
        ])
        .optional()
        .describe(
          'Narrows `unknown`: the account password is right, but the user has a second factor, and so it is not enough; or the credential belongs to an organization or project that is deleted and can be restored; or it is a token that a device has signed, or its certificate, and its project does not accept it. A field of its own, because a reason that an older gateway does not know would be no refusal to it.',
        ),
    }),
  ])
  .meta({ id: 'Introspection' })
/** Output of {@link introspectCredential}. */
export type Introspected = z.infer<typeof Introspection>

/** Returns the holder of a credential, in the manner of RFC 7662. */
export const introspectCredential = operation({
  subject: 'identity.v1.credential.introspect',
  summary: 'Find the holder of a credential',
  input: IntrospectionRequest,
  output: Introspection,
  errors: ['rate_limited'],
  permission: 'internal',
  batched: true,
})

/** Reasons to deny permission. The codes are those that a gateway would respond with. */
export const AUTHORIZATION_REFUSALS = [
  'credential_malformed',
  'credential_invalid',
  'credential_expired',
  'address_not_allowed',
  'device_token_invalid',
  'device_certificate_invalid',
  'device_identity_required',
  'permission_denied',
  'user_required',
  'sso_required',
  'second_factor_required',
  'device_login_refused',
  'organization_not_found',
  'organization_deleted',
  'project_deleted',
  'project_not_found',
] as const satisfies readonly ErrorCode[]

/** The outcome of an authorization. "Cannot verify" is not one of them: that is an error (503). */
export const Decision = z
  .discriminatedUnion('allowed', [
    z.object({ allowed: z.literal(true), principal: Principal }),
    z.object({
      allowed: z.literal(false),
      code: z.enum(AUTHORIZATION_REFUSALS),
      reason: z.string().describe('A sentence that may be shown to the refused caller.'),
    }),
  ])
  .meta({ id: 'Decision' })
export type Decision = z.infer<typeof Decision>

/** Decides whether the holder of a credential may do something, by every rule that a gateway applies. */
export const authorizeCredential = operation({
  subject: 'identity.v1.credential.authorize',
  summary: 'Check whether the holder of a credential may do something',
  input: z.object({
    credential: z
      .discriminatedUnion('kind', [
        PresentedToken,
        PresentedLegacyToken,
        PresentedUser,
        PresentedKey,
        PresentedDeviceToken,
        PresentedCertificate,
        PresentedSession,
        z.object({
          kind: z.literal('claims'),
          claims: z.string().min(1).max(1_000_000),
          audience: ServiceName.describe(
            'The service that received the claims: they are refused if they were made for another one.',
          ),
        }),
      ])
      .describe(
        'As it was presented; or the signed claims that came with a call, whose credential a gateway has looked at.',
      ),
    permission: Permission,
    organization_id: orNull(Id).describe(
      "What the permission is asked for; neither for permissions on the caller's own account.",
    ),
    project_id: orNull(Id).describe('A project of that organization, which is checked.'),
    client_address: orNull(z.string().max(64)).describe(
      'IP address of the caller that presented the credential. Organization tokens that are bound to networks are refused without it; with claims it may be left out.',
    ),
  }),
  output: Decision,
  errors: [],
  permission: 'internal',
})

/**
 * Something that credentials depend on has changed. Anyone who caches replies of {@link introspectCredential} evicts
 * every entry that has any of the tags (see {@link credentialTags}).
 */
export const credentialChanged = event({
  subject: 'identity.v1.credential.changed',
  data: z.object({
    id: Id,
    tags: z
      .array(z.string())
      .min(1)
      .describe('What has changed: `credential:<id>`, `user:<id>`, `organization:<id>` or `project:<id>`.'),
  }),
})

/** The tags of {@link credentialChanged} that a principal answers to. */
export function credentialTags(principal: Principal): string[] {
  switch (principal.kind) {
    case 'user':
      return [
        `credential:${principal.credential_id}`,
        `user:${principal.user_id}`,
        ...[...principal.grants, ...(principal.deleted_grants ?? [])].map(
          (grant) => `organization:${grant.organization_id}`,
        ),
      ]
    case ORGANIZATION_TOKEN:
      return [
        `credential:${principal.credential_id}`,
        `organization:${principal.organization_id}`,
        ...(principal.project_binding?.project_ids ?? []).map((id) => `project:${id}`),
      ]
    case 'project_key':
    case 'device':
      return [
        `credential:${principal.credential_id}`,
        `organization:${principal.organization_id}`,
        `project:${principal.project_id}`,
      ]
    case 'service':
      return [`service:${principal.name}`]
  }
}
