import { compactVerify, decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from 'jose'
import { devicePublicKey } from './rules/device-public-key.js'

/** Parts of a token. Nothing of it is verified. */
export interface DeviceToken {
  readonly text: string
  readonly kid: string | undefined
  readonly claims: JWTPayload
}

/** Reads a token of a device. Undefined: it is none that is accepted, whatever signed it. */
export function readDeviceToken(text: string): DeviceToken | undefined {
  try {
    const { kid, crit } = decodeProtectedHeader(text)
    const claims = decodeJwt(text)
    const { sub, exp, iat, nbf } = claims as Readonly<Record<string, unknown>> // not verified
    if (crit !== undefined || (sub !== undefined && typeof sub !== 'string')) return undefined
    // NumericDate (RFC 7519 §2): a text would be compared and added as one.
    if ([exp, iat, nbf].some((time) => time !== undefined && !Number.isFinite(time))) return undefined
    return { text, kid: typeof kid === 'string' ? kid : undefined, claims }
  } catch {
    return undefined
  }
}

/** Returns whether a key has signed a token. Nothing else of the token is checked. */
export async function hasSignedToken(token: string, publicKey: Uint8Array): Promise<boolean> {
  const { key, algorithm } = devicePublicKey(publicKey)
  const signature = token.slice(token.lastIndexOf('.') + 1)
  // Other texts of the same bytes would be other tokens.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return false
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}
