/** Bytes of randomness in a recovery code: 80 bits, too many to try even with the database at hand. */
export const RECOVERY_CODE_BYTES = 10

/** Crockford's base 32: digits and letters that are not taken for one another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** A recovery code, as it is shown: `xxxx-xxxx-xxxx-xxxx`. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((group) => ALPHABET.charAt(Number.parseInt(group, 2)))
  return (letters.join('').match(/.{1,4}/g) ?? []).join('-')
}

/** A recovery code as it is hashed, however it was typed: of any case, with or without hyphens, and "o" for zero. */
export function normalizeRecoveryCode(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
}
