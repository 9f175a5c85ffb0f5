import type { Command } from 'commander'

/** Loads the files that declare what a command of the tree does, or its commands. Does nothing if that was done. */
type Expand = () => Promise<void>

const expansions = new WeakMap<Command, Expand>()

/** Says how a command is expanded. */
export function onExpand(command: Command, load: Expand): void {
  expansions.set(command, load)
}

/** Makes a group load the files of its command before it parses the arguments. */
export function loadOnDemand(group: Command): Command {
  return group.hook('preSubcommand', (_, command) => expand(command))
}

/** Loads the files of a command. */
export async function expand(command: Command): Promise<void> {
  await expansions.get(command)?.()
}

/** Loads the files of all commands that words of a command line may name. */
export async function expandAlong(program: Command, words: readonly string[]): Promise<void> {
  let command = program
  for (const word of words) {
    command = command.commands.find((child) => child.name() === word) ?? command
    await expand(command)
  }
}

/** Loads all files, for texts about all commands. */
export async function expandAll(group: Command): Promise<void> {
  for (const command of group.commands) {
    await expand(command)
    await expandAll(command)
  }
}
