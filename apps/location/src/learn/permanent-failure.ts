import { isUnstorable } from '@bearing/service/unavailable'

/**
 * Why it makes no sense to try to learn from observations again; undefined where it does.
 *
 * What our own code throws is the same each time: of what is stored it cannot read some, which a newer version may have written
 * (`decodeStatistics`, `decodeContribution`), or it cannot cope with what was contributed. Whatever comes from the database, the
 * network or Node itself has a code, and may pass.
 */
export function whyUnlearnable(error: unknown): string | undefined {
  if (isUnstorable(error)) return 'nothing can be learned from it'
  const isOurs = error instanceof RangeError || error instanceof TypeError
  return isOurs && !('code' in error)
    ? 'this version cannot learn from it, or not read what is stored'
    : undefined
}
