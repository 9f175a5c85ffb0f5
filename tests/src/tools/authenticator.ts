import { createHmac } from 'node:crypto'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * The code that an authenticator app shows (RFC 6238). Written apart from the one of identity, so that the two check each
 * other.
 *
 * @param secret in base 32, as it is typed in
 * @param offset steps of 30 s from `nowMs`
 */
export function totp(secret: string, nowMs: number, offset = 0): string {
  let bits = ''
  for (const letter of secret) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Math.floor(nowMs / 30_000) + offset
  const message = Buffer.from(step.toString(16).padStart(16, '0'), 'hex')
  const mac = createHmac('sha1', key).update(message).digest()
  const at = (mac.at(-1) ?? 0) % 16
  const number = Number.parseInt(mac.subarray(at, at + 4).toString('hex'), 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}
