import type { Command } from 'commander'
import { Cli } from '../../session/cli.js'
import { Output } from '../../ground/output/output.js'
import { Secrets } from '../../ground/output/secrets.js'
import { expandAll } from '../expand.js'
import { buildProgram } from '../program.js'

/**
 * Returns the tree of all commands, to read and not to run.
 *
 * @param out receives the help of a command that prints it
 */
export async function commandTree(out: (text: string) => void = () => undefined): Promise<Command> {
  const secrets = new Secrets()
  const { stdin, stdout, stderr } = process
  const environment = { settings: {}, noColor: true }
  const { signal } = new AbortController()
  const presentation = { format: 'table' as const, verbose: false, noColor: true }
  const output = new Output(stdout, stderr, secrets, presentation)
  const cli = new Cli(
    { stdin, stdout, stderr, environment, now: Date.now, signal },
    output,
    secrets,
    () => program,
  )
  const program: Command = buildProgram(cli, { out, err: () => undefined })
  await expandAll(program)
  return program
}

/** Returns the commands of a group that its help lists. */
export function visibleCommands(group: Command): Command[] {
  return group
    .createHelp()
    .visibleCommands(group)
    .filter((command) => group.commands.includes(command))
}

/** Returns all commands that do something, in the order of the help, with their names from the program on. */
export function leavesOf(group: Command, path: readonly string[] = []): [path: string[], command: Command][] {
  return visibleCommands(group).flatMap((command): [string[], Command][] => {
    const its = [...path, command.name()]
    return command.commands.length > 0 ? leavesOf(command, its) : [[its, command]]
  })
}
