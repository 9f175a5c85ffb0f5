import { Buffer } from 'node:buffer'
import type { DEVICE_TOKEN_REFUSALS } from '@bearing/contracts/identity/credentials/credential'

/** Reasons for which the token of a device is refused, for its developers. */
export const DEVICE_TOKEN_MESSAGES = {
  malformed:
    'The token is not a JSON Web Token that a device may send: it is cut off, too long, or has a time that is not a number.',
  unknown:
    'No registered key of a device has signed this token. Register its public key; if it is registered, check kid, sub, alg and the signature.',
  expired:
    'The token has expired. Set the clock of the device by the header Date of this reply, and sign a new token.',
  device_identity_off:
    'The project does not accept tokens that devices sign. Send its project key, or let a manager change device_identity in its settings.',
  device_token_from_future:
    'The token is from the future: iat or nbf is more than 5 minutes ahead. Set the clock of the device by the header Date of this reply.',
  device_token_too_long: 'The token expires in more than 24 hours. Sign one with an earlier exp.',
  device_token_without_expiry:
    'The token has no exp. Sign one with exp, or let a manager allow tokens without expiry in the settings of the project (device_tokens_without_expiry).',
  device_token_for_other:
    'The sub of the token is not the serial number of the device that has this key, or its aud is not this installation.',
} as const satisfies Readonly<
  Record<'malformed' | 'unknown' | 'expired' | (typeof DEVICE_TOKEN_REFUSALS)[number], string>
>

/** Returns whether a bearer token has the form of a JSON Web Token (RFC 7519 §3). It is not verified. */
export function isDeviceToken(token: string): boolean {
  if (!token.startsWith('eyJ')) return false
  const [header = '', , signature, more] = token.split('.', 4)
  if (signature === undefined || more !== undefined) return false
  return 'alg' in partOf(header)
}

/** Returns what a device has in all its tokens: their header, and `sub`. It is not verified. */
export function signerOf(token: string): string {
  const [header = '', payload = ''] = token.split('.', 2)
  const { sub } = partOf(payload)
  return `${header} ${typeof sub === 'string' ? sub : ''}`
}

function partOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const read = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}
