import { z } from 'zod'
import { operation, setByGateway } from '../../operation.js'
import { SessionMethod } from '../../principal.js'
import { Email, Id, Nothing, PageRequest, Timestamp, orNull, pageOf } from '../../primitives.js'
import { MAX_SECRET_LENGTH } from '../credentials/credential.js'
import { SecondFactorCode } from './second-factor.js'

/** Longest time since a user signed in or confirmed the session, for requests that need a proof, in minutes. */
export const RECENT_SIGN_IN_MINUTES = 10

/** The longest `User-Agent` of a session that is kept, in characters. */
export const MAX_SESSION_AGENT_LENGTH = 256

/** A browser or command line in which a user has signed in. */
export const Session = z
  .object({
    id: Id,
    methods: z.array(SessionMethod).describe('How the user signed in.'),
    address: z
      .string()
      .nullable()
      .describe('Address of the browser when it signed in, as the gateway saw it.'),
    user_agent: z.string().nullable().describe('`User-Agent` of the browser when it signed in.'),
    host: z
      .string()
      .nullable()
      .default(null)
      .describe('Name of the machine whose command line it is for, as that said. Null: a browser.'),
    created_at: Timestamp,
    last_seen_at: Timestamp.describe('The last use, up to some minutes early.'),
    expires_at: Timestamp.describe('When it ends, unless it is used again before that.'),
    current: z.boolean().describe('Whether it is the session that asks.'),
  })
  .meta({ id: 'Session' })

/**
 * The header `X-CSRF-Token` that a page sends with every change. The gateway makes it out of the cookie, so it is only in
 * replies over HTTP.
 */
const CsrfToken = z.string().optional()

/** Signs in. What is proven is the input; the gateway puts the session's token into a cookie. */
export const startSession = operation({
  subject: 'identity.v1.session.start',
  summary: 'Sign in with a browser',
  description:
    'The reply sets the cookie `__Host-bearing_session`. Send its `csrf_token` in the header `X-CSRF-Token` with every request that changes something. Send `email` and `password`; a user with a second factor adds `totp_code`, `recovery_code` or `passkey`, and without one the answer is 401 `second_factor_needed`. Or send `passkey` alone.',
  input: z.object({
    email: Email.optional(),
    password: z.string().min(1).max(MAX_SECRET_LENGTH).optional(),
    ...SecondFactorCode,
    user_agent: setByGateway(orNull(z.string()), '`User-Agent` of the browser.'),
    replaces: setByGateway(
      z.string().max(MAX_SECRET_LENGTH),
      'Token of the session that the browser had until now: it ends.',
    ),
  }),
  output: z
    .object({
      user_id: Id,
      email: z.string(),
      session: Session,
      csrf_token: CsrfToken,
      session_token: z
        .string()
        .optional()
        .describe("The session's token, for the cookie. Never in a reply over HTTP."),
    })
    .meta({ id: 'StartedSession' }),
  errors: [
    'credential_invalid',
    'second_factor_needed',
    'second_factor_invalid',
    'csrf_refused',
    'rate_limited',
  ],
  permission: 'public',
  timeoutMs: 10_000,
})

export const showSession = operation({
  subject: 'identity.v1.session.show',
  summary: 'Show the session that asks',
  description: 'Has the `csrf_token` to send in the header `X-CSRF-Token`.',
  input: Nothing,
  output: Session.extend({ csrf_token: CsrfToken }).meta({ id: 'ShownSession' }),
  errors: ['session_not_found'],
  permission: 'session:read',
})

export const signOut = operation({
  subject: 'identity.v1.session.sign-out',
  summary: 'Sign out: end the session that asks',
  description: 'It ends at every gateway within a second, and the cookie is removed.',
  input: Nothing,
  output: Nothing,
  errors: ['session_not_found'],
  permission: 'session:end',
})

/** Proves again who the caller is. The requests that need a proof work in the session for the next minutes. */
export const confirmSession = operation({
  subject: 'identity.v1.session.confirm',
  summary: 'Confirm the session that asks with the account password or a passkey',
  description: `Some requests create or change what outlives a session: credentials, the access of people, rules of signing in. In a session they need a sign-in or a confirmation of the last ${String(RECENT_SIGN_IN_MINUTES)} minutes, and in one of a command line always a confirmation; otherwise the response is 403 \`recent_sign_in_required\`. Send \`password\`, with a second factor \`totp_code\` or \`recovery_code\` too; or \`passkey\` alone. A session of single sign-on cannot be confirmed: sign in through the provider again.`,
  input: z.object({ password: z.string().min(1).max(MAX_SECRET_LENGTH).optional(), ...SecondFactorCode }),
  output: Nothing,
  errors: [
    'password_incorrect',
    'rate_limited',
    'second_factor_invalid',
    'second_factor_not_found',
    'session_not_found',
  ],
  permission: 'session:confirm',
  proof: 'in-request',
  timeoutMs: 10_000,
})

export const listSessions = operation({
  subject: 'identity.v1.session.list',
  summary: "List the caller's sessions",
  description: 'The browsers and command lines in which the user is signed in, the newest first.',
  input: z.object(PageRequest),
  output: pageOf(Session),
  errors: [],
  permission: 'session:read',
})

export const endSession = operation({
  subject: 'identity.v1.session.end',
  summary: "End one of the caller's sessions",
  input: z.object({ session_id: Id }),
  output: Nothing,
  errors: ['recent_sign_in_required', 'session_not_found'],
  permission: 'session:end',
  proof: 'recent-on-command-line',
})

export const endOtherSessions = operation({
  subject: 'identity.v1.session.end-others',
  summary: "End all of the caller's sessions but the one that asks",
  description: 'With a user API key, all of them.',
  input: Nothing,
  output: z.object({ ended_count: z.int().min(0) }),
  errors: ['recent_sign_in_required'],
  permission: 'session:end',
  proof: 'recent-on-command-line',
})
