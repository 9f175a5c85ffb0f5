import type { Command, Option } from 'commander'

/** Says that a file name follows: the shell completes it. */
export const FILES = ':files'

/** A word that can follow, and its meaning. */
export type Choice = readonly [word: string, meaning: string]

/**
 * Returns what can be the last word of a command line.
 *
 * @param words after the name of the program; the last one is what has been typed of it
 * @param contexts returns the names of the contexts
 */
export function choicesFor(
  program: Command,
  words: readonly string[],
  contexts: () => readonly string[],
): Choice[] {
  const { command, option } = placeOf(program, words.slice(0, -1))
  const plain = (values: readonly string[], meaning: string) =>
    values.map((value): Choice => [value, meaning])
  if (option)
    return plain(
      option.flags.endsWith('<context>') ? contexts() : (option.argChoices ?? []),
      option.description,
    )
  const help = command.createHelp()
  if (words.at(-1)?.startsWith('-'))
    return [...help.visibleOptions(command), ...help.visibleOptions(program)].flatMap(
      ({ long, description }): Choice[] => (long ? [[long, description]] : []),
    )
  const commands = help.visibleCommands(command).map((child): Choice => [child.name(), child.description()])
  const [argument] = command.registeredArguments
  if (!argument || commands.length > 0) return commands
  if (/^files?$/.test(argument.name())) return [[FILES, '']]
  return plain(argument.name() === 'context' ? contexts() : (argument.argChoices ?? []), argument.description)
}

/** Returns the command that the words name, and the flag whose value is next. */
function placeOf(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly option: Option | undefined } {
  let command = program
  let option: Option | undefined
  for (const word of words) {
    // bash takes "=" for a word of its own.
    if (word === '=') continue
    if (option) option = undefined
    else if (word.startsWith('-'))
      option = [...command.options, ...program.options].find(
        (one) => (one.long === word || one.short === word) && (one.required || one.optional),
      )
    else command = command.commands.find((child) => child.name() === word) ?? command
  }
  return { command, option }
}
