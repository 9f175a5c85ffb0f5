import { createHash } from 'node:crypto'

/** What a legacy location token is stored and looked up as: SHA-256 (FIPS 180-4) over its UTF-8, 32 bytes. */
export function legacyTokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token, 'utf8').digest())
}
