/** Converts a code for the API: six digits are from an authenticator, anything else is a recovery code. */
export function asCode(code: string): { totp_code: string } | { recovery_code: string } {
  return /^\s*\d{3} ?\d{3}\s*$/.test(code) ? { totp_code: code } : { recovery_code: code }
}
