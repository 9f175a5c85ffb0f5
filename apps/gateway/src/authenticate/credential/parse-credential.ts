import { Buffer, isUtf8 } from 'node:buffer'
import { isDeviceToken } from '@bearing/access/device-tokens'
import { tokenKind } from '@bearing/access/token-format'
import {
  MAX_SECRET_LENGTH,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { sessionCookies } from '../browser/session-cookie.js'

/** The credential of a request. */
export type Presented =
  | { readonly outcome: 'none' }
  /** More than one: which of them counts is unclear. */
  | { readonly outcome: 'several' }
  /** Not a credential. The detail says why, without repeating it. */
  | {
      readonly outcome: 'malformed'
      readonly of: PresentedCredential['kind'] | 'unknown'
      readonly detail: string
    }
  | {
      readonly outcome: 'one'
      readonly credential: PresentedCredential
      /** True if it is in a cookie, which browsers add to the requests of other sites too. */
      readonly inCookie?: true
    }

/** token68 of RFC 9110 §11.2, the form of Bearer tokens (RFC 6750 §2.1). */
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*$/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
/** RFC 7617 §2 forbids control characters in user name and password. */
const CONTROL = /\p{Cc}/u
const MAX_EMAIL_LENGTH = 254

/**
 * Finds the one credential of a request, by strict grammar.
 *
 * - `Authorization: Bearer T`: organization token, or the session of a command line if `T` has its prefix.
 * - `Authorization: Basic base64(":" + T)`: organization token (command-line clients up to 1.7 send that).
 * - `Authorization: Basic base64(email ":" secret)`: user; the secret may hold ":" and is an API key or the password.
 * - `Authorization: Bearer T` with a JSON Web Token: token of a device, with the project key beside it on routes of devices.
 * - a project-key header: project key.
 * - the session cookie: a browser's session. On routes of devices it is ignored, so these need no CSRF check.
 *
 * @param rawHeaders names and values alternating, as Node provides them: unlike its header object they contain repeated
 *   headers
 * @param projectKeyHeaders names of the project-key headers, in lower case
 * @param isDeviceRoute whether an `Authorization` beside a project key is ignored: HTTP clients add one from `.netrc`
 */
export function parseCredential(
  rawHeaders: readonly string[],
  projectKeyHeaders: ReadonlySet<string>,
  isDeviceRoute: boolean,
): Presented {
  const authorizations: string[] = []
  const keys: string[] = []
  const cookies: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase()
    if (name === 'authorization') authorizations.push(rawHeaders[i + 1] ?? '')
    else if (name === 'cookie') cookies.push(rawHeaders[i + 1] ?? '')
    else if (projectKeyHeaders.has(name)) keys.push(rawHeaders[i + 1] ?? '')
  }
  const sessions = isDeviceRoute ? [] : sessionCookies(cookies)
  const [key] = keys
  if (key !== undefined && keys.length === 1 && isDeviceRoute)
    return withDeviceToken(projectKey(key), authorizations)
  if (authorizations.length + keys.length + sessions.length > 1) return { outcome: 'several' }
  const [authorization] = authorizations
  const [session] = sessions
  if (authorization !== undefined) return parseAuthorization(authorization)
  if (key !== undefined) return projectKey(key)
  return session === undefined ? { outcome: 'none' } : parseSession(session)
}

/** Adds the token of a device that is beside a project key. HTTP clients never add one from `.netrc`. */
function withDeviceToken(key: Presented, [authorization, another]: readonly string[]): Presented {
  if (authorization === undefined || another !== undefined) return key
  const found = parseAuthorization(authorization)
  const isToken = found.outcome === 'one' && found.credential.kind === 'device_token'
  if (!isToken || key.outcome !== 'one' || key.credential.kind !== 'project_key') return key
  return { outcome: 'one', credential: { ...found.credential, project_key: key.credential.key } }
}

function parseSession(token: string): Presented {
  if (token === '' || token.length > MAX_SECRET_LENGTH)
    return { outcome: 'malformed', of: 'session', detail: 'The session cookie is empty or too long.' }
  return { outcome: 'one', credential: { kind: 'session', token }, inCookie: true }
}

function projectKey(text: string): Presented {
  const key = text.trim()
  if (key === '' || key.length > MAX_SECRET_LENGTH)
    return {
      outcome: 'malformed',
      of: 'project_key',
      detail: `The project key header is ${key === '' ? 'empty' : 'too long'}. Send the key of the project in it.`,
    }
  return { outcome: 'one', credential: { kind: 'project_key', key } }
}

function parseAuthorization(header: string): Presented {
  const match = /^([A-Za-z]+) +([^ ]+) *$/.exec(header)
  const scheme = match?.[1]?.toLowerCase()
  const credentials = match?.[2] ?? ''
  // 4/3 for base64 of the longest email address and secret.
  if (credentials.length > ((MAX_EMAIL_LENGTH + MAX_SECRET_LENGTH) * 4 * 4) / 3)
    return { outcome: 'malformed', of: 'unknown', detail: 'The Authorization header is too long.' }
  if (scheme === 'bearer') return bearer(credentials)
  if (scheme === 'basic') return basic(credentials)
  return {
    outcome: 'malformed',
    of: 'unknown',
    detail: 'The Authorization header is neither "Bearer <token>" nor "Basic <base64>".',
  }
}

function bearer(token: string): Presented {
  if (!TOKEN68.test(token) || token.length > MAX_SECRET_LENGTH)
    return {
      outcome: 'malformed',
      of: token.startsWith('eyJ') ? 'device_token' : ORGANIZATION_TOKEN,
      detail: 'The bearer token has characters that no token has, or is too long.',
    }
  if (isDeviceToken(token)) return { outcome: 'one', credential: { kind: 'device_token', token } }
  const kind = tokenKind(token) === 'session' ? 'session' : ORGANIZATION_TOKEN
  return { outcome: 'one', credential: { kind, token } }
}

function basic(encoded: string): Presented {
  const text = BASE64.test(encoded) ? decodeUtf8(Buffer.from(encoded, 'base64')) : undefined
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0 || CONTROL.test(text))
    return {
      outcome: 'malformed',
      of: 'user',
      detail: 'Basic credentials are base64 of "email:secret" in UTF-8, without control characters.',
    }
  const email = text.slice(0, colon)
  const secret = text.slice(colon + 1)
  if (secret === '' || secret.length > MAX_SECRET_LENGTH || email.length > MAX_EMAIL_LENGTH)
    return {
      outcome: 'malformed',
      of: 'user',
      detail: 'The user name is too long, or the password empty or too long.',
    }
  return {
    outcome: 'one',
    credential: email === '' ? { kind: ORGANIZATION_TOKEN, token: secret } : { kind: 'user', email, secret },
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/**
 * Returns the project key of a URL (`?key=`), as clients of geolocation services send it. The URL is never logged.
 *
 * @param query parameters as parsed; a repeated one is an array
 */
export function keyInQuery({ key }: Readonly<Record<string, unknown>>): Presented | undefined {
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > MAX_SECRET_LENGTH)
    return { outcome: 'malformed', of: 'project_key', detail: 'The key is empty, too long, or sent twice.' }
  return { outcome: 'one', credential: { kind: 'project_key', key } }
}
