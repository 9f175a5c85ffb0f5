import { tokenKind } from '@bearing/access/token-format'

/** Shorter parts of an email address are in many good passwords by chance. */
const MIN_PART = 4

/**
 * Returns why a new password is refused, apart from its length and lists of stolen passwords; undefined if it is not. There
 * are no rules about kinds of characters: they make passwords worse (NIST SP 800-63B-4, 3.1.1.2).
 */
export function passwordMistake(password: string, email: string): string | undefined {
  // Introspection checks such text as an API key, so a sign-in with it would fail.
  if (tokenKind(password)) return 'must not start with the prefix of a token'
  const lower = password.toLowerCase()
  const parts = email
    .toLowerCase()
    .split('@')
    .filter((part) => part.length >= MIN_PART)
  if (parts.some((part) => lower.includes(part)))
    return 'must not contain the email address or a part of it; choose some unrelated words'
  return undefined
}
