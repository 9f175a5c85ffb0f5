import { MAX_GRACE_SECONDS } from '@bearing/contracts/primitives'
import { Option } from 'commander'
import { readSpan } from './span.js'
import { UsageError } from './usage-error.js'

/** `--grace`: how long the credential before goes on working. */
export function graceOption(): Option {
  return new Option('--grace <span>', 'how long the one before goes on working, at most 7d: 12h or 2d')
}

/**
 * A grace in seconds; undefined where none was given.
 *
 * @throws UsageError where it is none, or too long
 */
export function graceSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = readSpan(text, '--grace') / 1_000
  if (seconds > MAX_GRACE_SECONDS) throw new UsageError('--grace is at most 7d.')
  return seconds
}
