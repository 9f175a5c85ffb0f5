import type { Mistake } from '@bearing/contracts/errors'

/** The most mistakes that one error lists. */
const MAX_MISTAKES = 50

/**
 * What an error says of entries that could not be read. They cost nobody a position by themselves, so it is told beside what
 * is missing.
 *
 * @returns a sentence to put behind others, with a blank in front, and the details; nothing of either where all could be read
 */
export function tellUnreadable(errors: readonly Mistake[]): {
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
