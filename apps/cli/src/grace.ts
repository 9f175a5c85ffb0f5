import {
  DEFAULT_GRACE_SECONDS,
  MAX_GRACE_SECONDS,
  PROJECT_KEY_GRACE_SECONDS,
} from '@bearing/contracts/primitives'
import type { Command } from 'commander'
import { YES_ON_TERMINAL } from './confirmations.js'
import { readSpan } from './span.js'
import { UsageError } from './usage-error.js'

/** How long the command line keeps a replaced credential if neither flag is given. */
const DEFAULT_GRACE = `${String(DEFAULT_GRACE_SECONDS / 86_400)}d`
/** The same for a project key: an ended key cannot be restored. */
export const PROJECT_KEY_GRACE = `${String(PROJECT_KEY_GRACE_SECONDS / 86_400)}d`

/** Flags of commands that replace a credential. */
export interface ReplaceFlags {
  readonly grace?: string
  readonly immediately?: true
  readonly yes?: true
}

/**
 * Adds `--grace`, `--immediately` and `--yes` to a command that replaces a credential.
 *
 * @param yes flag and description of `--yes`
 */
export function addReplaceOptions(
  command: Command,
  defaultGrace = DEFAULT_GRACE,
  yes: readonly [flags: string, description: string] = YES_ON_TERMINAL,
): Command {
  return command
    .option(
      '--grace <span>',
      `how long the old one continues to work, at most 7d: 12h or 2d (default: ${defaultGrace})`,
    )
    .option('--immediately', 'the old one stops working immediately')
    .option(...yes)
}

/**
 * Returns the grace period of the old credential, as text and in seconds.
 *
 * @throws UsageError if it is invalid or too long, or both flags are given
 */
export function graceOf(
  { grace, immediately }: ReplaceFlags,
  defaultGrace = DEFAULT_GRACE,
): { text: string; seconds: number } {
  if (immediately && grace !== undefined)
    throw new UsageError('--grace and --immediately contradict each other. Give one of them.')
  if (immediately) return { text: '0', seconds: 0 }
  const text = grace ?? defaultGrace
  return { text, seconds: graceSeconds(text) }
}

/**
 * Returns a grace period in seconds.
 *
 * @throws UsageError if it is invalid or too long
 */
function graceSeconds(text: string): number {
  const seconds = readSpan(text, '--grace') / 1_000
  if (seconds > MAX_GRACE_SECONDS) throw new UsageError('--grace must be at most 7d.')
  return seconds
}
