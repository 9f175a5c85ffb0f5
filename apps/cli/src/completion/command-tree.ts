import type { Command, Option } from 'commander'

/** A value that can be completed: what is typed, and what it means. */
export interface Choice {
  readonly value: string
  readonly meaning: string
}

/** A flag, as far as shells need it. */
export interface Flag {
  /** `--name` */
  readonly name: string
  readonly meaning: string
  readonly takesValue: boolean
  readonly values: readonly string[]
}

/** One place in the command tree. */
export interface Place {
  /** The commands that lead here, joined by a space; empty for the program itself. */
  readonly path: string
  /** What can come next: commands, or values of the argument. */
  readonly choices: readonly Choice[]
  /** The flags of this command, without the global ones. */
  readonly flags: readonly Flag[]
  /** Whether the argument is a file. */
  readonly takesFiles: boolean
}

/** Every place in a command tree, the program itself first. */
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
  }
  const children = commands.filter((child) => command.commands.includes(child))
  return [place, ...children.flatMap((child) => placesOf(child, `${path} ${child.name()}`.trimStart()))]
}

function flagOf({ long, description, required, optional, argChoices }: Option): Flag[] {
  if (!long) return []
  return [{ name: long, meaning: description, takesValue: required || optional, values: argChoices ?? [] }]
}
