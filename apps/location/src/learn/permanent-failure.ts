import { isUnstorable } from '@bearing/service/ground/unavailable'

/**
 * Returns why retrying makes no sense, or undefined if it does. Errors of our own code are the same each time. Errors of the
 * database, the network or Node have a code and may pass.
 */
export function permanentFailure(error: unknown): string | undefined {
  if (isUnstorable(error)) return 'nothing can be learned from it'
  const isOurs = error instanceof RangeError || error instanceof TypeError
  return isOurs && !('code' in error)
    ? 'this version cannot learn from it, or not read what is stored'
    : undefined
}
