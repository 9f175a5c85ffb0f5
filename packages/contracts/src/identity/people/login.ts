import { z } from 'zod'
import { humanText } from '../../text/human-text.js'
import { operation, setByGateway } from '../../operation.js'
import { Id, Nothing, Timestamp, orNull } from '../../primitives.js'
import { Session } from './session.js'

/** Time that a user has to allow a login, in seconds. */
export const LOGIN_LIFETIME_S = 600
/** Time that a command line waits between two polls, in seconds, until the server asks for more. */
export const LOGIN_INTERVAL_S = 5

/** The letters of user codes: no vowels, so no words, and none that look like a digit (RFC 8628 §6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
/** The letters of a user code. With 20 letters to choose from these are 34 bits. */
export const USER_CODE_LENGTH = 8

/** A user code as somebody types it: case, spaces and hyphens do not count. */
export const UserCode = z
  .string()
  .max(64)
  .transform((text) => text.toUpperCase().replaceAll(/[\s\-\u2010-\u2015]/g, ''))
  .pipe(
    z
      .string()
      .regex(
        new RegExp(`^[${USER_CODE_LETTERS}]{${String(USER_CODE_LENGTH)}}$`),
        'must be the 8 letters that the command line shows',
      ),
  )

/** Returns a user code as people read it: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  const half = USER_CODE_LENGTH / 2
  return `${code.slice(0, half)}-${code.slice(half)}`
}

/** The name of the machine that a command line runs on, as it says: 1–64 characters. */
export const LoginHost = humanText(64)

/** The secret of a command line that waits: 256 bits in base64url. */
const DeviceCode = z.string().regex(/^[\w-]{43}$/, 'must be the device_code of a login')

/** Starts a login, in the manner of RFC 8628. */
export const requestLogin = operation({
  subject: 'identity.v1.login.request',
  summary: 'Start to sign in a command line',
  description:
    'The device authorization request of RFC 8628, with JSON bodies. Show `verification_uri` and `user_code` to the user, and call `POST /auth/login/token` every `interval` seconds. No credential is needed.',
  input: z.object({ host: LoginHost.describe('Name of the machine, which the user is shown.') }),
  output: z
    .object({
      device_code: DeviceCode.describe('Secret: it is exchanged for the session.'),
      user_code: z.string().describe('What the user compares: `BCDF-GHJK`.'),
      verification_uri: z
        .string()
        .optional()
        .describe('URL of the page that asks the user. Added by the gateway.'),
      verification_uri_complete: z
        .string()
        .optional()
        .describe('The same with the user code in it. Added by the gateway.'),
      expires_in: z.int().min(1).describe('Seconds until the login expires.'),
      interval: z.int().min(1).describe('Seconds to wait between two polls.'),
    })
    .meta({ id: 'RequestedLogin' }),
  errors: ['device_login_refused'],
  permission: 'public',
})

/** Exchanges the device code for the token of a session. */
export const exchangeLogin = operation({
  subject: 'identity.v1.login.exchange',
  summary: 'Receive the session of a login',
  description:
    'The device access token request of RFC 8628, with JSON bodies. Its error codes are those of the RFC: `authorization_pending` and `slow_down` (wait `retry_after` seconds, then call again), `access_denied`, `expired_token`. The session is started once; send its token as `Authorization: Bearer`. It reaches what the browser session reaches that allowed it, and ends no later.',
  input: z.object({
    device_code: DeviceCode.describe('Of the login that was started.'),
    user_agent: setByGateway(orNull(z.string()), '`User-Agent` of the command line.'),
  }),
  output: z
    .object({
      access_token: z.string().describe('Token of the session. It is returned once.'),
      token_type: z.literal('Bearer').describe('How to send it.'),
      user_id: Id,
      email: z.string(),
      session: Session,
    })
    .meta({ id: 'ExchangedLogin' }),
  errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'device_login_refused'],
  permission: 'public',
})

const ByUserCode = z.object({
  user_code: UserCode.describe(
    'The code that the command line shows, in upper or lower case, with or without its hyphen.',
  ),
})
const DECISION_ERRORS = ['login_not_found', 'session_not_found', 'rate_limited'] as const

export const showLogin = operation({
  subject: 'identity.v1.login.show',
  summary: 'Show which command line asks to be signed in',
  description: 'For users in a browser session, before they decide.',
  input: ByUserCode,
  output: z
    .object({
      user_code: z.string().describe('The code of the login, to compare.'),
      host: z.string().describe('Name of the machine, as it says. Anyone can say any name.'),
      address: z.string().nullable().describe('IP address of the machine, as the gateway saw it.'),
      own_address: z
        .string()
        .nullable()
        .default(null)
        .describe('IP address of the browser that asks, as the gateway saw it, to compare.'),
      same_network: z
        .boolean()
        .default(false)
        .describe('Whether both addresses are of one network: the same IPv4 address, or the same IPv6 /64.'),
      requested_at: Timestamp.describe('When the command line asked.'),
      expires_at: Timestamp,
      session_ends_at: Timestamp.describe(
        'When the session of the command line ends at the latest: not later than the browser session.',
      ),
    })
    .meta({ id: 'ShownLogin' }),
  errors: DECISION_ERRORS,
  permission: 'login:decide',
})

export const allowLogin = operation({
  subject: 'identity.v1.login.allow',
  summary: 'Sign in a command line as yourself',
  description:
    'For users in a browser session. The command line receives a session of its own, which is listed with the others and can be ended there.',
  input: ByUserCode,
  output: Nothing,
  errors: [...DECISION_ERRORS, 'device_login_refused'],
  permission: 'login:decide',
})

export const denyLogin = operation({
  subject: 'identity.v1.login.deny',
  summary: 'Refuse to sign in a command line',
  description: 'For users in a browser session. The command line stops waiting.',
  input: ByUserCode,
  output: Nothing,
  errors: DECISION_ERRORS,
  permission: 'login:decide',
})
