import { InvalidArgumentError, type Command } from 'commander'
import { UsageError } from './usage-error.js'

/** Not the schema of the contracts: it would be loaded for every command. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns a parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`Use a whole number from ${String(least)} to ${String(most)}.`)
  }
}

/**
 * Returns a parser of ids, so that a mistyped one is refused before anything is sent. The text is not repeated: it may be a
 * secret in the wrong place.
 *
 * @param command the command that shows the ids
 * @param argument the name of the argument
 */
export function idFrom(command: string, argument = 'id'): (text: string) => string {
  return (text) => {
    if (ID.test(text)) return text.toLowerCase()
    throw new UsageError(`The argument <${argument}> is not an id.`, `"${command}" shows the ids.`)
  }
}

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

/** The flag that answers a question in advance. */
export const YES = ['-y, --yes', 'do not ask for confirmation'] as const

/** The same of commands that ask on a terminal only. */
export const YES_ON_TERMINAL = [
  '-y, --yes',
  'do not ask for confirmation; without a terminal it is not asked for',
] as const
