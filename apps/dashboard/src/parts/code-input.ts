/** Returns the field of the API for what was typed: six digits are of the authenticator, anything else is a recovery code. */
export function codeInput(text: string): { totp_code: string } | { recovery_code: string } {
  const code = text.trim()
  return /^\d{3} ?\d{3}$/.test(code) ? { totp_code: code } : { recovery_code: code }
}
