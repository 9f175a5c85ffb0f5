import { createHash } from 'node:crypto'

/** Bytes of the secret in a link. */
const SECRET_BYTES = 32

/** The secret of a link, and what is stored of it. */
export interface NewLinkSecret {
  readonly secret: string
  readonly secretHash: Uint8Array<ArrayBuffer>
}

/** @param randomBytes that many bytes that nobody can foresee */
export function newLinkSecret(randomBytes: (length: number) => Uint8Array): NewLinkSecret {
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')
  return { secret, secretHash: hashLinkSecret(secret) }
}

/**
 * What is stored of a link's secret, and what its row is looked up by: SHA-256. There are 256 random bits to guess, so
 * neither a slow hash nor a pepper would gain anything, and a link that is good for days survives a change of peppers.
 */
export function hashLinkSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}
