import { Buffer } from 'node:buffer'

/** Returns whether a bearer token is a JSON Web Token (RFC 7519 §3), as devices of some vendors send it. It is not verified. */
export function isJwt(token: string): boolean {
  const [header, , , more] = token.split('.', 4)
  if (header === undefined || more !== undefined || !token.startsWith('eyJ')) return false
  try {
    const read = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as unknown
    return typeof read === 'object' && read !== null && 'alg' in read
  } catch {
    return false
  }
}
