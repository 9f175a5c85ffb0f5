/** Random bytes of a recovery code: 80 bits are too many to guess even with the database. */
export const RECOVERY_CODE_BYTES = 10

/** Crockford's base 32: digits and letters that are not confused with one another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns a recovery code for display: `xxxx-xxxx-xxxx-xxxx`. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((group) => ALPHABET.charAt(Number.parseInt(group, 2)))
  return (letters.join('').match(/.{1,4}/g) ?? []).join('-')
}

/** Returns a typed recovery code for hashing: in any case, with or without hyphens, with "o" for zero. */
export function normalizeRecoveryCode(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
}
