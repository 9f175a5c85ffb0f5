import { tokenKind } from '@bearing/access/token-format'

/** The shortest part of an address that a password may not hold: shorter ones are in many good passwords by chance. */
const MIN_PART = 4

/**
 * What is wrong with a new password besides its length, which the contract says, and its being known, which takes a
 * list. There are no rules about kinds of characters: they make passwords worse (NIST SP 800-63B-4, 3.1.1.2).
 *
 * @returns what to tell, or undefined
 */
export function passwordMistake(password: string, email: string): string | undefined {
  // Introspection would take it for an API key, so nobody could ever sign in with it.
  if (tokenKind(password)) return 'must not begin like a token of Bearing'
  const lower = password.toLowerCase()
  const parts = email
    .toLowerCase()
    .split('@')
    .filter((part) => part.length >= MIN_PART)
  if (parts.some((part) => lower.includes(part)))
    return 'must not contain the e-mail address or a part of it; take some words that have nothing to do with it'
  return undefined
}
