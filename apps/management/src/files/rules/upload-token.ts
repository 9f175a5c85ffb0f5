import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Permission of a token: to put the bytes of an upload, or to commit them. */
export type Purpose = 'put' | 'commit'

/** The content of a token. */
export interface UploadTicket {
  readonly purpose: Purpose
  readonly uploadId: string
  /** Milliseconds since 1970. */
  readonly expiresMs: number
}

const PURPOSES: readonly Purpose[] = ['put', 'commit']
const ID_BYTES = 16
const PAYLOAD_BYTES = 1 + ID_BYTES + 8
const MAC_BYTES = 32

/** Writes a token: the ticket and its HMAC-SHA-256, 76 characters that are safe in a URL. */
export function writeUploadToken({ purpose, uploadId, expiresMs }: UploadTicket, key: Uint8Array): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES)
  payload.writeUInt8(PURPOSES.indexOf(purpose), 0)
  payload.write(uploadId.replaceAll('-', ''), 1, 'hex')
  payload.writeBigUInt64BE(BigInt(expiresMs), 1 + ID_BYTES)
  return Buffer.concat([payload, macOf(payload, key)]).toString('base64url')
}

/**
 * Reads a token. The caller checks whether it has expired.
 *
 * @param keys any of them may have signed it
 * @returns undefined if it is malformed, for another purpose or not signed by these keys
 */
export function readUploadToken(
  token: string,
  purpose: Purpose,
  keys: readonly Uint8Array[],
): UploadTicket | undefined {
  const bytes = Buffer.from(token, 'base64url')
  // The decoder accepts other spellings of the same bytes.
  if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined
  const payload = bytes.subarray(0, PAYLOAD_BYTES)
  const mac = bytes.subarray(PAYLOAD_BYTES)
  // Every key is tried, each in constant time.
  const signed = keys.map((key) => timingSafeEqual(macOf(payload, key), mac)).includes(true)
  if (!signed || PURPOSES[payload.readUInt8(0)] !== purpose) return undefined
  const hex = payload.toString('hex', 1, 1 + ID_BYTES)
  return {
    purpose,
    uploadId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    expiresMs: Number(payload.readBigUInt64BE(1 + ID_BYTES)),
  }
}

function macOf(payload: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('bearing upload\0').update(payload).digest()
}
