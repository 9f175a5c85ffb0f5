import { createHmac, timingSafeEqual } from 'node:crypto'

/** Length of a secret in bytes: that of the hash (RFC 4226 §4, R6). */
export const TOTP_SECRET_BYTES = 20
/** All authenticator apps support SHA-1, six digits, 30 seconds. Some ignore other values of the URI. */
const DIGITS = 6
const STEP_MS = 30_000
/** Accepted steps before and after the current one, for inexact clocks and slow typing. */
const DRIFT = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * Returns the step of an authenticator's code (TOTP, RFC 6238).
 *
 * @param code six digits
 * @param nowMs milliseconds since 1970
 * @param lastStep the step of the last accepted code: only later ones are accepted
 * @returns undefined if the code is wrong, too old or used
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
  // Always all steps, so that the time does not reveal which one matched.
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    const matches = given.length === expected.length && timingSafeEqual(given, expected)
    if (matches && step > lastStep) found ??= step
  }
  return found
}

/** Returns the code of a step: HOTP (RFC 4226 §5.3) with the step as counter. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const value = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS
  return String(value).padStart(DIGITS, '0')
}

/** Returns bytes in base 32 (RFC 4648 §6) without padding, as users type them into an authenticator. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}

/**
 * Returns the content of the QR code for an authenticator (the key URI format).
 *
 * @param issuer without ":"
 * @param account email address of the user
 */
export function totpUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
