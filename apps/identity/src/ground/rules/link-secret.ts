import { createHash } from 'node:crypto'

const SECRET_BYTES = 32

/** The secret of a link and its hash. */
export interface NewLinkSecret {
  readonly secret: string
  readonly secretHash: Uint8Array<ArrayBuffer>
}

/** @param randomBytes returns random bytes */
export function newLinkSecret(randomBytes: (length: number) => Uint8Array): NewLinkSecret {
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')
  return { secret, secretHash: hashLinkSecret(secret) }
}

/**
 * Returns the hash of a link's secret: SHA-256. With 256 random bits neither a slow hash nor a pepper is needed, and links
 * survive a pepper rotation.
 */
export function hashLinkSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}
