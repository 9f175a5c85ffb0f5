import type { TestUser } from '@bearing/testing/factories'
import type { Differences, SoftwarePasskey } from '@bearing/testing/software-passkey'
import { totp } from './authenticator.js'
import { send, type Json, type Reply, type Sent } from './http.js'

const COOKIE = '__Host-bearing_session'

/** The email address and password that a browser signs in with. */
export interface Account {
  readonly email: string
  readonly password: string
}

/** A browser with a session: sends its cookie, and what a page of our own sends beside it. */
export class Browser {
  private constructor(
    readonly cookie: string,
    readonly csrfToken: string,
    readonly sessionId: string,
    readonly reply: Reply,
  ) {}

  static async signIn(
    gateway: string,
    account: Account,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Browser> {
    return Browser.of(await signIn(gateway, account, more))
  }

  private static of(reply: Reply): Browser {
    if (reply.status !== 201) throw new Error(`signing in was refused: ${reply.text}`)
    const data = reply.json?.data as { csrf_token: string; session: { id: string } }
    return new Browser(cookieOf(reply), data.csrf_token, data.session.id, reply)
  }

  /** Signs in with a passkey alone. */
  static async signInByPasskey(gateway: string, passkey: SoftwarePasskey): Promise<Browser> {
    const { challenge } = await challengeOf(gateway)
    return Browser.of(
      await send(gateway, 'POST', '/auth/session', { body: { passkey: passkey.assert(challenge) } }),
    )
  }

  /** Adds a passkey to the account. */
  async addPasskey(gateway: string, passkey: SoftwarePasskey, differences: Differences = {}): Promise<Reply> {
    const { challenge } = await challengeOf(gateway)
    const body = { name: 'Security key', ...passkey.create(challenge, differences) }
    return this.send(gateway, 'POST', '/auth/passkeys', { body })
  }

  /** The headers that a page of our own sends, as far as they are about the session. */
  get headers(): Record<string, string> {
    return { cookie: this.cookie, 'x-csrf-token': this.csrfToken, 'sec-fetch-site': 'same-origin' }
  }

  get token(): string {
    return this.cookie.slice(COOKIE.length + 1)
  }

  /** Sends a request as a page of our own does. */
  send(gateway: string, method: string, path: string, sent: Sent = {}): Promise<Reply> {
    return send(gateway, method, path, {
      ...sent,
      headers: { ...this.headers, origin: gateway, ...sent.headers },
    })
  }
}

/** Tries to sign in. */
export function signIn(
  gateway: string,
  { email, password }: Account,
  more: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return send(gateway, 'POST', '/auth/session', { body: { email, password, ...more }, headers })
}

/** Returns a new challenge for a passkey. */
export async function challengeOf(
  gateway: string,
): Promise<{ readonly challenge: string; readonly rp_id: string }> {
  const reply = await send(gateway, 'POST', '/auth/passkeys/challenge')
  return reply.json?.data as { challenge: string; rp_id: string }
}

/** The cookie that a reply sets, as a browser sends it back. */
export function cookieOf(reply: Reply): string {
  const [pair = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  return pair
}

/** An authenticator app that was set up for an account, and what came with it. */
export interface Authenticator {
  /** A code that is right for at least the next 30 s, and was never used before. */
  readonly code: () => string
  /** A code that is wrong, now and in the next minutes. */
  readonly wrong: () => string
  readonly recoveryCodes: readonly string[]
}

/** Sets up a second factor, with the account password or in a browser. */
export async function enroll(
  gateway: string,
  account: Account,
  as: (method: string, path: string, body: Json) => Promise<Reply> = (method, path, body) =>
    send(gateway, method, path, {
      credential: { kind: 'user', email: account.email, secret: account.password },
      body,
    }),
): Promise<Authenticator> {
  const begun = await as('POST', '/auth/totp', { password: account.password })
  const { secret } = begun.json?.data as { secret: string }
  // Of the current step, so that the next one is left for the test: that is good until the step after it is over, whenever
  // within a step the clock stands.
  const confirmed = await as('POST', '/auth/totp/confirm', { totp_code: totp(secret, Date.now()) })
  if (confirmed.status !== 200) throw new Error(`the second factor was refused: ${confirmed.text}`)
  return {
    code: () => totp(secret, Date.now(), 1),
    wrong: () => wrongCode(secret, Date.now()),
    recoveryCodes: (confirmed.json?.data as { recovery_codes: string[] }).recovery_codes,
  }
}

/**
 * Creates a new API key with the account password and a recovery code.
 *
 * @returns the user with that key
 */
export async function withNewKey(
  gateway: string,
  user: TestUser,
  { recoveryCodes }: Authenticator,
): Promise<TestUser> {
  const { email, password, credential } = user
  const body = { password, recovery_code: recoveryCodes.at(-1) ?? '' }
  const created = await send(gateway, 'POST', '/auth/api_key', { credential, body })
  if (created.status !== 201) throw new Error(`the API key was refused: ${created.text}`)
  const { api_key: secret } = created.json?.data as { api_key: string }
  return { ...user, apiKey: secret, credential: { kind: 'user', email, secret } }
}

/** Six digits that are no code of the minutes around now: any other six are one every now and then. */
function wrongCode(secret: string, nowMs: number): string {
  const right = new Set(Array.from({ length: 21 }, (_, offset) => totp(secret, nowMs, offset - 10)))
  for (let number = 0; ; number++) {
    const code = String(number).padStart(6, '0')
    if (!right.has(code)) return code
  }
}
