import type { Command } from 'commander'
import type { Cli } from './cli.js'
import { YES_ON_TERMINAL } from '../ground/arguments.js'

/** Stands for the id of anything in examples. */
export const ID = '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51'

interface About {
  /** Follow the command in its examples, which help and reference show (default: one without arguments). */
  readonly examples?: readonly string[]
  /**
   * Asked on a terminal before the command runs. Without a terminal it runs: scripts have always deleted with these. Commands
   * that want a name typed again call `confirmTyped` instead.
   */
  readonly question?: string
  /** For programs: in no help. */
  readonly hidden?: boolean
}

interface Verb extends About {
  readonly path: string
  readonly define: (command: Command, cli: Cli) => unknown
}

const groups = new Map<string, { readonly description: string; readonly help: string }>()
const verbs: Verb[] = []

/**
 * Declares a group of commands.
 *
 * @param path its words, such as `webhooks deliveries`
 * @param help what its help says after the commands
 */
export function group(path: string, description: string, help = ''): void {
  groups.set(path, { description, help })
}

/**
 * Declares a command. The help lists commands in the order of their declarations.
 *
 * @param path its words, such as `webhooks delete`
 * @param define gives it description, arguments and action
 */
export function verb(path: string, about: About, define: Verb['define']): void {
  verbs.push({ path, ...about, define })
}

/** Adds all declared commands to the program. */
export function addVerbs(program: Command, cli: Cli): void {
  for (const { path, question, hidden = false, define } of verbs) {
    const words = path.split(' ')
    const parent = words.slice(0, -1).reduce((above, _, index) => {
      return groupAt(above, words.slice(0, index + 1))
    }, program)
    const command = parent.command(words.at(-1) ?? '', { hidden })
    define(command, cli)
    if (question !== undefined)
      command.option(...YES_ON_TERMINAL).hook('preAction', async () => {
        if (!command.opts<{ yes?: true }>().yes) await cli.confirm(question)
      })
    const lines = examplesOf(path).map((example) => `  ${example}`)
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  }
}

/** Returns the examples of a command, by its words. */
export function examplesOf(path: string): string[] {
  const { examples = [''] } = verbs.find((declared) => declared.path === path) ?? {}
  return examples.map((rest) => `bearing ${path} ${rest}`.trimEnd())
}

/** @throws Error if the group is not declared, which every run of the command line shows */
function groupAt(above: Command, words: readonly string[]): Command {
  const name = words.at(-1) ?? ''
  const existing = above.commands.find((command) => command.name() === name)
  if (existing) return existing
  const declared = groups.get(words.join(' '))
  if (!declared) throw new Error(`there is no group "${words.join(' ')}"`)
  const added = above.command(name).description(declared.description)
  return declared.help === '' ? added : added.addHelpText('after', declared.help)
}
