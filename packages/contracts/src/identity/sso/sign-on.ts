import { z } from 'zod'
import { operation, setByGateway } from '../../operation.js'
import { Id, Nothing, PageRequest, Timestamp, pageOf } from '../../primitives.js'
import { MAX_SECRET_LENGTH } from '../credentials/credential.js'

/**
 * Destination of a browser after the sign-in: a path on our own origin. Anything that browsers read as the start of another origin
 * (`//`, `/\`, and the characters that they leave out in between) is refused.
 */
export const ReturnPath = z
  .string()
  .max(1024)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'must be a path of this address')
  .default('/')

/** 256 bits in base64url. */
const Random = z.string().regex(/^[\w-]{43}$/)

/** Facts about the browser, from the gateway. */
const Browser = {
  origin: setByGateway(
    z.url({ protocol: /^https?$/ }).max(512),
    'The address that the browser reaches the gateway at: scheme, host and port.',
  ),
  browser: setByGateway(Random, "What is in the browser's sign-on cookie."),
}

/** Destination of a browser whose user is to sign in. */
const Begun = z.object({
  authorization_url: z.string().describe('Address at the provider.'),
  browser: Random.optional().describe(
    'For the sign-on cookie: only the browser that has it can finish. Never in a reply over HTTP.',
  ),
})

/** Begins a sign-on: through a connection, or through the only one of an organization. */
export const beginSignOn = operation({
  subject: 'identity.v1.sign-on.begin',
  summary: 'Sign in through an identity provider',
  description: 'For browsers: redirects to the identity provider.',
  input: z.object({
    connection_id: Id.optional(),
    organization_id: Id.optional().describe('Where no connection is named.'),
    return_to: ReturnPath,
    ...Browser,
  }),
  output: Begun.meta({ id: 'BegunSignOn' }),
  errors: ['sso_connection_not_found'],
  permission: 'public',
  lenient: true,
})

/** Begins to link the calling user with who they are at the provider. */
export const beginLink = operation({
  subject: 'identity.v1.sign-on.begin-link',
  summary: 'Link your account with an identity provider',
  description:
    'In a session of a browser that was started with the password: send the browser to `authorization_url`. When its user has signed in there, the account is linked, and the session is one of single sign-on.',
  input: z.object({ connection_id: Id, return_to: ReturnPath, ...Browser }),
  output: Begun.meta({ id: 'BegunLink' }),
  errors: ['recent_sign_in_required', 'sso_connection_not_found', 'session_not_found'],
  permission: 'sso-identity:change',
  proof: 'recent',
})

/** A parameter of the provider's answer, as it stands in the URL. */
const Parameter = z.string().max(4096)

/** Ends a sign-on with what the provider has answered. */
export const completeSignOn = operation({
  subject: 'identity.v1.sign-on.complete',
  summary: 'Come back from an identity provider',
  description:
    'The redirect URI of a connection. Sets the session cookie and redirects to where the sign-on was begun for.',
  input: z.object({
    connection_id: Id,
    state: Parameter.optional(),
    code: Parameter.optional(),
    iss: Parameter.optional(),
    error: Parameter.optional(),
    browser: Random.optional(),
    user_agent: setByGateway(z.string(), '`User-Agent` of the browser.'),
    replaces: setByGateway(
      z.string().max(MAX_SECRET_LENGTH),
      'Token of the session that the browser had until now: it ends.',
    ),
  }),
  output: z
    .object({
      return_to: z.string(),
      session_token: z
        .string()
        .optional()
        .describe("The session's token, for the cookie. Never in a reply over HTTP."),
    })
    .meta({ id: 'CompletedSignOn' }),
  errors: ['sso_failed', 'sso_access_denied', 'sso_identity_taken', 'too_many_organizations'],
  permission: 'public',
  // The provider is asked for the token, its keys and perhaps the claims.
  timeoutMs: 20_000,
  lenient: true,
})

/** The longest logout token, in characters. */
export const MAX_LOGOUT_TOKEN = 16_384

/** Ends the sessions of a user who has signed out at the provider (OpenID Connect Back-Channel Logout 1.0). */
export const logOutAtProvider = operation({
  subject: 'identity.v1.sign-on.log-out',
  summary: 'End sessions from an identity provider',
  description:
    'The back-channel logout URI of a connection (OpenID Connect Back-Channel Logout 1.0), for the provider: a form with `logout_token`. Ends the sessions of its `sid`, or of its `sub`, that were started before the token. Errors have the format of RFC 6749 §5.2.',
  input: z.object({
    connection_id: Id,
    logout_token: z.string().min(1).max(MAX_LOGOUT_TOKEN).describe('A JWT that the provider has signed.'),
  }),
  output: Nothing,
  errors: ['sso_connection_not_found', 'overloaded'],
  permission: 'public',
  timeoutMs: 15_000,
})

/** The identity of a user at a provider. */
export const SsoIdentity = z
  .object({
    id: Id,
    connection_id: Id,
    connection_name: z.string(),
    issuer: z.string(),
    subject: z.string().describe("The provider's own id of the user."),
    created_at: Timestamp,
  })
  .meta({ id: 'SsoIdentity' })

export const listSsoIdentities = operation({
  subject: 'identity.v1.sso-identity.list',
  summary: 'List the identity providers that your account is linked with',
  input: z.object(PageRequest),
  output: pageOf(SsoIdentity),
  errors: [],
  permission: 'sso-identity:read',
})

export const deleteSsoIdentity = operation({
  subject: 'identity.v1.sso-identity.delete',
  summary: 'Unlink your account from an identity provider',
  description: 'The sessions that were started through it end.',
  input: z.object({ sso_identity_id: Id }),
  output: Nothing,
  errors: ['sso_identity_not_found'],
  permission: 'sso-identity:change',
})
