import { Argument, InvalidArgumentError, Option, type Command } from 'commander'
import { UsageError } from './usage-error.js'

/** An argument or option with more than a description. */
export interface Taken<Value> {
  readonly about: string
  readonly choices?: readonly string[]
  /** Converts the text. @param before the value so far, of one that may be repeated */
  parse?(text: string, before?: Value): Value
  readonly initial?: Value
  readonly required?: true
  /** Names of options that cannot be given too, as in the values of {@link ValuesOf}. */
  readonly conflicts?: readonly string[]
}

/** The arguments (`<id>`, `[slug]`, `<files...>`) and options (`-d, --device <serial>`, `--force`) of a command, with their help. */
export type Takes = Readonly<Record<string, string | Taken<unknown>>>

type Camel<Words extends string> = Words extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Words extends `${infer First} ${infer Rest}`
    ? `${First}${Capitalize<Camel<Rest>>}`
    : Words
type Inner<Flags extends string> = Flags extends `<${infer Name}>` | `[${infer Name}]` ? Name : never
type NameOf<Flags extends string> = Flags extends `${string}--no-${infer Name}`
  ? Camel<Name>
  : Flags extends `${string}--${infer Name} ${string}` | `${string}--${infer Name}`
    ? Camel<Name extends `${infer Long} ${string}` ? Long : Name>
    : Inner<Flags> extends `${infer Name}...`
      ? Camel<Name>
      : Camel<Inner<Flags>>
type TextOf<Flags extends string> = Flags extends `${string}--no-${string}`
  ? boolean
  : Flags extends `${string}...>` | `${string}...]`
    ? string[]
    : Flags extends `${string}<${string}` | `[${string}`
      ? string
      : true
type ValueOf<Flags extends string, Given> =
  Given extends Taken<infer Value> ? (unknown extends Value ? TextOf<Flags> : Value) : TextOf<Flags>
type IsSure<Flags extends string, Given> = Given extends { initial: unknown } | { required: true }
  ? true
  : Flags extends `<${string}` | `[${string}...]` | `${string}--no-${string}`
    ? true
    : false

/** The values of arguments and options by their names: `--expires-in` is `expiresIn`. */
export type ValuesOf<T> = {
  readonly [F in keyof T & string as IsSure<F, T[F]> extends true ? NameOf<F> : never]: ValueOf<F, T[F]>
} & {
  readonly [F in keyof T & string as IsSure<F, T[F]> extends true ? never : NameOf<F>]?:
    ValueOf<F, T[F]> | undefined
}

/** Adds arguments and options to a command. */
export function addTaken(command: Command, takes: Takes): void {
  for (const [flags, given] of Object.entries(takes)) {
    const { about, choices, initial, required, conflicts, ...rest }: Taken<unknown> =
      typeof given === 'string' ? { about: given } : given
    const taken = /^[<[]/.test(flags) ? new Argument(flags, about) : new Option(flags, about)
    if (choices) taken.choices(choices)
    if (rest.parse) taken.argParser((text: string, before: unknown) => rest.parse?.(text, before))
    if (initial !== undefined) taken.default(initial)
    if (taken instanceof Argument) command.addArgument(taken)
    else {
      // Commander itself would set it before the files of the command are loaded.
      if (flags.startsWith('--no-')) taken.default(true)
      if (required) taken.makeOptionMandatory()
      if (conflicts) taken.conflicts([...conflicts])
      command.addOption(taken)
    }
  }
}

/** One of several words. */
export function oneOf<const Word extends string>(about: string, choices: readonly Word[]): Taken<Word> {
  return { about, choices }
}

/** `yes` or `no`. */
export function answer(about: string): Taken<boolean> {
  const parse = (text: string) => {
    if (text === 'yes' || text === 'no') return text === 'yes'
    throw new InvalidArgumentError('Allowed choices are yes, no.')
  }
  return { about, choices: ['yes', 'no'], parse }
}

/** A text that is converted. */
export function parsed<Value>(about: string, parse: (text: string) => Value): Taken<Value> {
  return { about, parse: (text) => parse(text) }
}

/** An option that may be repeated. */
export function repeated<Value>(about: string, parse: (text: string) => Value): Taken<Value[]> {
  return { about, parse: (text, before = []) => [...before, parse(text)] }
}

/** One of several words, repeatable. */
export function someOf<const Word extends string>(about: string, words: readonly Word[]): Taken<Word[]> {
  return repeated(about, (text) => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new InvalidArgumentError(`Use ${words.join(', ')}.`)
    return word
  })
}

export function required(about: string): Taken<string> & { readonly required: true } {
  return { about, required: true }
}

/** An id. @param from the command that shows the ids @param argument its name, if that is not `id` */
export function idOf(about: string, from: string, argument = 'id'): Taken<string> {
  return parsed(about, idFrom(from, argument))
}

/** Returns a parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`Use a whole number from ${String(least)} to ${String(most)}.`)
  }
}

/** Not the schema of the contracts: it would be loaded for every command. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Returns a parser of ids, so that a mistyped one is refused before anything is sent. The text is not repeated: it may be a
 * secret in the wrong place.
 *
 * @param command the command that shows the ids
 */
export function idFrom(command: string, argument = 'id'): (text: string) => string {
  return (text) => {
    if (ID.test(text)) return text.toLowerCase()
    throw new UsageError(`The argument <${argument}> is not an id.`, `"${command}" shows the ids.`)
  }
}

/** Of commands that print a list. */
export const LIMIT = {
  '-L, --limit <number>': parsed('print at most this many (default: all)', wholeNumber(1, 1_000_000)),
} as const

/** Answers a question in advance. */
export const YES = { '-y, --yes': 'do not ask for confirmation' } as const

/** Returns the flags of a command that changes something. @throws UsageError if none is given */
export function requireChange<Flags extends object>(
  flags: Flags,
  message = 'Nothing to change. See --help for the flags.',
): Flags {
  if (Object.values(flags).some((value) => value !== undefined)) return flags
  throw new UsageError(message)
}

/** Reads a project key. */
export function projectKeyOf(text: string): string {
  if (/^[0-9a-f]{32}$/.test(text)) return text
  throw new UsageError('A project key is 32 characters of 0–9 and a–f.')
}
