import { verify } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { algorithmOfStored } from './rules/device-public-key.js'

/** Parts of a token. Nothing of it is verified. */
export interface DeviceToken {
  readonly text: string
  readonly alg: string | undefined
  readonly kid: string | undefined
  readonly claims: JWTPayload
}

/** Reads a token of a device. Undefined: it is none that is accepted, whatever signed it. */
export function readDeviceToken(text: string): DeviceToken | undefined {
  try {
    const { alg, kid, crit } = decodeProtectedHeader(text)
    const claims = decodeJwt(text)
    const { sub, exp, iat, nbf } = claims as Readonly<Record<string, unknown>> // not verified
    if (crit !== undefined || (sub !== undefined && typeof sub !== 'string')) return undefined
    // NumericDate (RFC 7519 §2): a text would be compared and added as one.
    if ([exp, iat, nbf].some((time) => time !== undefined && !Number.isFinite(time))) return undefined
    return { text, alg, kid: typeof kid === 'string' ? kid : undefined, claims }
  } catch {
    return undefined
  }
}

/**
 * Returns whether a key has signed a token, by the only algorithm of the key. Nothing else of the token is checked. In this thread:
 * to hand it to another one, as jose does, costs more than half of what the signature costs.
 *
 * @param token as {@link readDeviceToken} has read it
 */
export function hasSignedToken({ text, alg }: DeviceToken, publicKey: Uint8Array): boolean {
  const algorithm = algorithmOfStored(publicKey)
  if (alg !== algorithm) return false
  const end = text.lastIndexOf('.')
  const signature = Buffer.from(text.slice(end + 1), 'base64url')
  // Other texts of the same bytes would be other tokens.
  if (signature.toString('base64url') !== text.slice(end + 1)) return false
  const key = { key: Buffer.from(publicKey), format: 'der', type: 'spki', dsaEncoding: 'ieee-p1363' } as const
  return verify(HASHES[algorithm], Buffer.from(text.slice(0, end)), key, signature)
}

/** Ed25519 hashes as its signature says (RFC 8032). */
const HASHES = { ES256: 'sha256', ES384: 'sha384', EdDSA: null } as const
