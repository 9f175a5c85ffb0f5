import type { Command } from 'commander'
import { wholeNumber } from './whole-number.js'

/** Flags of commands that print a list. */
export interface LimitFlag {
  readonly limit?: number
}

/** Adds `--limit` to a command that prints a list. */
export function addLimit(command: Command): Command {
  return command.option(
    '-L, --limit <number>',
    'print at most this many (default: all)',
    wholeNumber(1, 1_000_000),
  )
}
