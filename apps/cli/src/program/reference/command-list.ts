import type { Command } from 'commander'
import { GLOBAL_NOTE } from '../program.js'
import { commandTree, leavesOf, visibleCommands } from './command-tree.js'

/** Width of the help on the page, in characters. */
const WIDTH = 110

/** Returns the list of docs/command-line-reference.md: the help of every command. */
export async function commandList(): Promise<string> {
  let printed = ''
  const program = await commandTree((text) => {
    printed += text
  })
  const helpOf = (command: Command) => {
    printed = ''
    command.configureHelp({ ...command.configureHelp(), showGlobalOptions: false, helpWidth: WIDTH })
    command.outputHelp()
    return `\`\`\`text\n${withoutHelpFlag(printed).trim()}\n\`\`\`\n`
  }
  const section = (path: readonly string[], command: Command) =>
    `### bearing ${path.join(' ')}\n\n${helpOf(command)}`
  const groups = visibleCommands(program).map((group) => {
    const name = group.name()
    const leaves: [string[], Command][] =
      group.commands.length > 0 ? leavesOf(group, [name]) : [[[name], group]]
    const title = `## ${name}\n\n${sentence(group.description())}\n`
    return [title, ...leaves.map(([path, command]) => section(path, command))].join('\n')
  })
  return [`## Options of every command\n\n${helpOf(program)}`, ...groups].join('\n')
}

/** Every command has `--help`, which is an option of its own for commander, and the note about other options. */
function withoutHelpFlag(help: string): string {
  return help
    .replace(`\n${GLOBAL_NOTE}\n`, '')
    .replace(/^ +-h, --help .*\n/m, '')
    .replace(/^Options:\n(?=\n|$)/m, '')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
