import { CommanderError, type Command } from 'commander'

const MAX_SUGGESTIONS = 3

/** There is no command of this name in its group. */
export class UnknownCommandError extends CommanderError {
  /** @param group in which it was looked for */
  constructor(
    message: string,
    readonly group: Command,
  ) {
    super(1, 'commander.unknownCommand', message)
  }
}

/** Adds commands of other groups to the message about an unknown one: `usage` is `organizations usage`. */
export function withSuggestion({ message, group }: UnknownCommandError): string {
  const [unknown = ''] = group.args
  if (message.includes('Did you mean')) return message
  const found = pathsOf(rootOf(group)).filter((path) => path.some((word) => isAlike(word, unknown)))
  // A group says as much as all of its commands.
  const shortest = found.filter((path) => !found.some((other) => isBelow(path, other)))
  const listed = shortest.slice(0, MAX_SUGGESTIONS).map((path) => `"bearing ${path.join(' ')}"`)
  return listed.length === 0 ? message : `${message}\n(Did you mean ${listed.join(' or ')}?)`
}

/** Adds what an argument is, and the usage of the command, to the message about a missing one. */
export function withUsage(message: string, command: Command): string {
  const [, name] = /'([\w-]+)'/.exec(message) ?? []
  const description = command.registeredArguments.find((argument) => argument.name() === name)?.description
  const about = description === undefined || description === '' ? '' : ` (${description})`
  const list = command.parent?.commands.find((sibling) => sibling.name() === 'list' && sibling !== command)
  const shown = list ? ` ("${pathOf(list)}" shows what there is)` : ''
  return `${message}${about}. Usage: ${command.createHelp().commandUsage(command)}${shown}`
}

function isAlike(word: string, other: string): boolean {
  const parts = [word, ...word.split('-')]
  return (
    other.length > 2 && parts.some((part) => part === other || part === `${other}s` || `${part}s` === other)
  )
}

function isBelow(path: readonly string[], other: readonly string[]): boolean {
  return other.length < path.length && other.every((word, index) => word === path[index])
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command
}

/** Returns the words of all groups and commands. */
function pathsOf(command: Command, above: readonly string[] = []): string[][] {
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => {
      const path = [...above, child.name()]
      return [path, ...pathsOf(child, path)]
    })
}
