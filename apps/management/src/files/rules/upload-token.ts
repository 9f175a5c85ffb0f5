import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a token of an upload is good for: putting its bytes, or committing them. */
export type Purpose = 'put' | 'commit'

/** What a token says. */
export interface UploadTicket {
  readonly purpose: Purpose
  readonly uploadId: string
  /** Milliseconds since 1970. */
  readonly expiresMs: number
}

const PURPOSES: readonly Purpose[] = ['put', 'commit']
const ID_BYTES = 16
const SAID_BYTES = 1 + ID_BYTES + 8
const MAC_BYTES = 32

/** Writes a token: what it says, and an HMAC-SHA-256 over that. 76 characters that may stand in a URL. */
export function writeUploadToken({ purpose, uploadId, expiresMs }: UploadTicket, key: Uint8Array): string {
  const said = Buffer.alloc(SAID_BYTES)
  said.writeUInt8(PURPOSES.indexOf(purpose), 0)
  said.write(uploadId.replaceAll('-', ''), 1, 'hex')
  said.writeBigUInt64BE(BigInt(expiresMs), 1 + ID_BYTES)
  return Buffer.concat([said, macOf(said, key)]).toString('base64url')
}

/**
 * Reads a token.
 *
 * @param keys any of them may have signed it
 * @returns undefined where it is none, is for something else, or nobody of us has signed it. Whether it has expired is for
 *   the caller to say.
 */
export function readUploadToken(
  token: string,
  purpose: Purpose,
  keys: readonly Uint8Array[],
): UploadTicket | undefined {
  const bytes = Buffer.from(token, 'base64url')
  // One spelling alone: a decoder takes others for the same.
  if (bytes.length !== SAID_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined
  const said = bytes.subarray(0, SAID_BYTES)
  const mac = bytes.subarray(SAID_BYTES)
  // All are tried, each in constant time: how long that takes tells nothing.
  const signed = keys.map((key) => timingSafeEqual(macOf(said, key), mac)).includes(true)
  if (!signed || PURPOSES[said.readUInt8(0)] !== purpose) return undefined
  const hex = said.toString('hex', 1, 1 + ID_BYTES)
  return {
    purpose,
    uploadId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    expiresMs: Number(said.readBigUInt64BE(1 + ID_BYTES)),
  }
}

function macOf(said: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('bearing upload\0').update(said).digest()
}
