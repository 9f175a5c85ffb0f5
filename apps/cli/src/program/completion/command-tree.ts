import type { Command, Option } from 'commander'

/** A value for completion, with its description. */
export interface Choice {
  readonly value: string
  readonly meaning: string
}

/** A flag for completion. */
export interface Flag {
  /** `--name` */
  readonly name: string
  /** `-n` */
  readonly short: string | undefined
  readonly meaning: string
  readonly takesValue: boolean
  readonly values: readonly string[]
  /** Whether its value is the name of a context. */
  readonly takesContext: boolean
}

/** A node of the command tree. */
export interface Place {
  /** The commands of the path, joined by a space; empty for the program. */
  readonly path: string
  /** Subcommands, or values of the argument. */
  readonly choices: readonly Choice[]
  /** The flags of this command, without the global ones. */
  readonly flags: readonly Flag[]
  /** Whether the argument is a file. */
  readonly takesFiles: boolean
  /** Whether the argument is the name of a context. */
  readonly takesContext: boolean
}

/** A shell command that prints the names of the contexts, one per line. No name has a character that CSV or a shell quotes. */
export const LIST_CONTEXTS = 'bearing context list -o csv 2>/dev/null | tail -n +2 | cut -d, -f1'

/** Returns all nodes of a command tree, the program first. */
export function placesOf(command: Command, path = ''): Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const argument = command.registeredArguments[0]
  const place: Place = {
    path,
    choices: [
      ...commands.map((child) => ({ value: child.name(), meaning: child.description() })),
      ...(argument?.argChoices ?? []).map((value) => ({ value, meaning: argument?.description ?? '' })),
    ],
    flags: help.visibleOptions(command).flatMap(flagOf),
    takesFiles: argument !== undefined && /^files?$/.test(argument.name()),
    takesContext: argument?.name() === 'context',
  }
  const children = commands.filter((child) => command.commands.includes(child))
  return [place, ...children.flatMap((child) => placesOf(child, `${path} ${child.name()}`.trimStart()))]
}

function flagOf({ flags, long, short, description, required, optional, argChoices }: Option): Flag[] {
  if (!long) return []
  const takesValue = required || optional
  const takesContext = flags.endsWith('<context>')
  return [{ name: long, short, meaning: description, takesValue, values: argChoices ?? [], takesContext }]
}

/** Returns the names of a flag, the long one first. */
export function namesOf({ name, short }: Flag): string[] {
  return short === undefined ? [name] : [name, short]
}
