import type { Mistake } from '@bearing/contracts/errors'

/** The most mistakes that one error lists. */
const MAX_MISTAKES = 50

/**
 * Describes entries that could not be read. They alone never cost a position, so the error adds them to what is missing.
 *
 * @returns a sentence with a leading blank, and details; both empty without mistakes
 */
export function unreadableEntries(errors: readonly Mistake[]): {
  readonly sentence: string
  readonly details: { readonly errors?: readonly Mistake[] }
} {
  const [first] = errors
  if (!first) return { sentence: '', details: {} }
  const more = errors.length > 1 ? ` (and ${String(errors.length - 1)} more)` : ''
  return {
    sentence: ` ${first.pointer} ${first.detail}${more}.`,
    details: { errors: errors.slice(0, MAX_MISTAKES) },
  }
}
