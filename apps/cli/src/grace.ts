import { MAX_GRACE_SECONDS } from '@bearing/contracts/primitives'
import { Option } from 'commander'
import { readSpan } from './span.js'
import { UsageError } from './usage-error.js'

/** `--grace`: the grace period of the previous credential. */
export function graceOption(): Option {
  return new Option('--grace <span>', 'grace period of the previous one, at most 7d: 12h or 2d')
}

/**
 * Returns a grace period in seconds; undefined if none was given.
 *
 * @throws UsageError if it is invalid or too long
 */
export function graceSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = readSpan(text, '--grace') / 1_000
  if (seconds > MAX_GRACE_SECONDS) throw new UsageError('--grace must be at most 7d.')
  return seconds
}
