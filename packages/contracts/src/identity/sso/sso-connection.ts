import { z } from 'zod'
import { operation } from '../../operation.js'
import {
  Id,
  Name,
  Nothing,
  OrganizationScope,
  PageRequest,
  Timestamp,
  orNull,
  pageOf,
} from '../../primitives.js'
import { RoleMapping } from './role-mapping.js'

/**
 * Issuer of an OpenID provider, exactly as the provider itself writes it: it is compared character by character (OpenID
 * Connect Discovery 1.0 §4.3).
 */
export const Issuer = z
  .url({ protocol: /^https?$/ })
  .max(512)
  .regex(/^[^?#@]*$/, 'must have neither query, fragment nor user')

export const ClientId = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
export const ClientSecret = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
/** A scope token (RFC 6749 §3.3). */
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/, 'must be a scope')
/** Asked for at the provider; `openid` always is. */
export const Scopes = z.array(Scope).max(16)
export const DEFAULT_SCOPES = ['openid', 'email', 'profile']

/** Ways in which Bearing authenticates at the token endpoint of a provider (OpenID Connect Core 1.0 §9). */
export const CLIENT_AUTHENTICATIONS = ['client_secret', 'private_key_jwt'] as const
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number]
const ClientAuthentication = z
  .enum(CLIENT_AUTHENTICATIONS)
  .describe(
    'How Bearing authenticates at the provider: with the client secret, or with a signed JWT (RFC 7523) whose public key is at `jwks_path`. There is no secret to exchange or to rotate then.',
  )

const EmailTrusted = z
  .boolean()
  .describe(
    'Whether an email address in a verified domain counts as verified if the provider sends no `email_verified`: Microsoft Entra ID never does.',
  )

const FollowsEmail = z
  .boolean()
  .describe(
    'Whether an account takes the verified email address that the provider sends for it, if the domains of the old and the new one are verified by the organization. Then the old one no longer signs in.',
  )

/** A connection to an organization's own OpenID provider. */
export const SsoConnection = z
  .object({
    id: Id,
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean().describe('Whether there is a client secret. It is never shown.'),
    client_authentication: ClientAuthentication.default('client_secret'),
    jwks_path: z
      .string()
      .nullable()
      .default(null)
      .describe('Path of the JWKS URI to register at the provider. Null: without `private_key_jwt`.'),
    scopes: z.array(z.string()),
    just_in_time: z
      .boolean()
      .describe(
        'Whether a user with an email address in a verified domain becomes a member at their first sign-in.',
      ),
    email_trusted: EmailTrusted.default(false),
    follows_email: FollowsEmail.default(false),
    role_mapping: RoleMapping.nullable()
      .optional()
      .describe('The roles that groups at the provider give. Null: roles are given by hand.'),
    enabled: z.boolean(),
    backchannel_logout_path: z
      .string()
      .optional()
      .describe('Path of the back-channel logout URI to register at the provider.'),
    callback_path: z
      .string()
      .describe(
        'Path of the redirect URI to register at the provider; the address of the gateway goes in front.',
      ),
    sign_in_path: z.string().describe('Path where people sign in.'),
    created_at: Timestamp,
  })
  .meta({ id: 'SsoConnection' })

export const listSsoConnections = operation({
  subject: 'identity.v1.sso-connection.list',
  summary: 'List the single sign-on connections of an organization',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(SsoConnection),
  errors: [],
  permission: 'sso-connection:read',
})

export const showSsoConnection = operation({
  subject: 'identity.v1.sso-connection.show',
  summary: 'Show a single sign-on connection',
  input: z.object({ ...OrganizationScope, connection_id: Id }),
  output: SsoConnection,
  errors: ['sso_connection_not_found'],
  permission: 'sso-connection:read',
})

export const createSsoConnection = operation({
  subject: 'identity.v1.sso-connection.create',
  summary: "Connect an organization's OpenID provider",
  description:
    'The provider’s metadata is fetched immediately (OpenID Connect Discovery): its issuer has to be exactly the given one, and it has to support PKCE with S256. Then register the gateway with `callback_path` as redirect URI at the provider. A public client has no `client_secret`.',
  input: z.object({
    ...OrganizationScope,
    name: Name,
    issuer: Issuer,
    client_id: ClientId,
    client_secret: ClientSecret.optional(),
    client_authentication: ClientAuthentication.default('client_secret'),
    scopes: Scopes.default(DEFAULT_SCOPES),
    just_in_time: z.boolean().default(false),
    email_trusted: EmailTrusted.default(false),
    follows_email: FollowsEmail.default(false),
    role_mapping: orNull(RoleMapping).describe('The roles that groups at the provider give (default: none).'),
  }),
  output: SsoConnection,
  errors: [
    'recent_sign_in_required',
    'sso_provider_unusable',
    'permission_denied',
    'project_not_found',
    'quota_exceeded',
  ],
  permission: 'sso-connection:manage',
  proof: 'recent',
  timeoutMs: 15_000,
})

export const changeSsoConnection = operation({
  subject: 'identity.v1.sso-connection.change',
  summary: 'Change a single sign-on connection',
  description:
    'Omitted fields stay as they are. The provider’s metadata is fetched again. Disabling it ends the sessions that were started through it. The issuer cannot be changed: accounts are linked under it. Where the organization requires single sign-on and the connection is broken, an admin may call this in a session with password and second factor.',
  input: z.object({
    ...OrganizationScope,
    connection_id: Id,
    name: Name.optional(),
    client_id: ClientId.optional(),
    client_secret: ClientSecret.nullable()
      .optional()
      .describe('Null: the client is a public one from now on.'),
    client_authentication: ClientAuthentication.optional().describe(
      '`private_key_jwt` creates a key pair, also in place of one before; `client_secret` deletes it.',
    ),
    scopes: Scopes.optional(),
    just_in_time: z.boolean().optional(),
    email_trusted: EmailTrusted.optional(),
    follows_email: FollowsEmail.optional(),
    role_mapping: RoleMapping.nullable()
      .optional()
      .describe('Null: the roles that it gave stay, and are edited by hand from now on.'),
    enabled: z.boolean().optional(),
  }),
  output: SsoConnection,
  errors: [
    'recent_sign_in_required',
    'sso_connection_not_found',
    'sso_connection_needed',
    'sso_provider_unusable',
    'permission_denied',
    'project_not_found',
  ],
  permission: 'sso-connection:change',
  proof: 'recent',
  timeoutMs: 15_000,
})

/** The public key of a connection's client. */
export const showClientKeys = operation({
  subject: 'identity.v1.sso-connection.keys',
  summary: 'Show the public key that Bearing signs in with at a provider',
  description: 'A JSON Web Key Set (RFC 7517) for the provider. It is empty without `private_key_jwt`.',
  input: z.object({ connection_id: Id }),
  output: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('RSA').describe('Kind of the key.'),
        n: z.string().describe('Modulus.'),
        e: z.string().describe('Exponent.'),
        kid: z.string().describe('Id of the key: its thumbprint (RFC 7638).'),
        alg: z.literal('RS256').describe('Algorithm of the signatures.'),
        use: z.literal('sig').describe('Use of the key.'),
      }),
    ),
  }),
  errors: ['sso_connection_not_found'],
  permission: 'public',
})

export const deleteSsoConnection = operation({
  subject: 'identity.v1.sso-connection.delete',
  summary: 'Delete a single sign-on connection',
  description:
    'The sessions that were started through it end at every gateway within a second, and its links go.',
  input: z.object({ ...OrganizationScope, connection_id: Id }),
  output: Nothing,
  errors: ['sso_connection_not_found', 'sso_connection_needed', 'permission_denied'],
  permission: 'sso-connection:manage',
})
