import { createHmac, timingSafeEqual } from 'node:crypto'

/** Length of a secret in bytes: that of the hash (RFC 4226 §4, R6). */
export const TOTP_SECRET_BYTES = 20
/** What every authenticator app takes: SHA-1, six digits, 30 seconds. Some ignore what the URI says beside that. */
const DIGITS = 6
const STEP_MS = 30_000
/** Steps before and after the current one whose codes are taken too: clocks of telephones, and slow fingers. */
const DRIFT = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * The step that a code of an authenticator belongs to (TOTP, RFC 6238).
 *
 * @param code six digits
 * @param nowMs milliseconds since 1970
 * @param lastStep the step of the last code that was accepted: every code works once, and none from before it
 * @returns undefined where the code is wrong, too old or used
 */
export function totpStep(
  secret: Uint8Array,
  code: string,
  nowMs: number,
  lastStep: number,
): number | undefined {
  const current = Math.floor(nowMs / STEP_MS)
  const given = Buffer.from(code)
  let found: number | undefined
  // All of them every time: how long it takes does not tell which one it was.
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    const matches = given.length === expected.length && timingSafeEqual(given, expected)
    if (matches && step > lastStep) found ??= step
  }
  return found
}

/** The code of a step: HOTP (RFC 4226 §5.3), with the step as counter. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const value = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS
  return String(value).padStart(DIGITS, '0')
}

/** Bytes in base 32 (RFC 4648 §6), without padding: what people type into an authenticator. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}

/**
 * What the QR code for an authenticator holds (the key URI format that all of them read).
 *
 * @param issuer whose account it is, without ":"
 * @param account e-mail address of the user
 */
export function totpUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
