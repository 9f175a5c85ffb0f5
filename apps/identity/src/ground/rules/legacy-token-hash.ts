import { createHash } from 'node:crypto'

/** Returns the hash of a legacy location token: SHA-256 (FIPS 180-4) over its UTF-8, 32 bytes. */
export function legacyTokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token, 'utf8').digest())
}
