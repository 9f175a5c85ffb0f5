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

const verbs: Verb[] = []
const groupHelp = new Map<string, string>()

/** Declares what the help of a group says after its commands. */
export function addGroupHelp(path: string, help: string): void {
  groupHelp.set(path, help)
}

export function helpOfGroup(path: string): string | undefined {
  return groupHelp.get(path)
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

/** Adds what is declared for a path: the command itself, or the commands of a group. */
export function addVerbs(command: Command, path: readonly string[], cli: Cli): void {
  for (const declared of verbs) {
    const words = declared.path.split(' ')
    const isBelow = words.length === path.length + 1 && path.every((word, index) => word === words[index])
    if (isBelow) add(declared, command.command(words.at(-1) ?? '', { hidden: declared.hidden ?? false }), cli)
    else if (declared.path === path.join(' ')) add(declared, command, cli)
  }
}

function add({ path, question, define }: Verb, command: Command, cli: Cli): void {
  define(command, cli)
  if (question !== undefined)
    command.option(...YES_ON_TERMINAL).hook('preAction', async () => {
      if (!command.opts<{ yes?: true }>().yes) await cli.confirm(question)
    })
  const lines = examplesOf(path).map((example) => `  ${example}`)
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

/** Returns the examples of a command, by its words. */
export function examplesOf(path: string): string[] {
  const { examples = [''] } = verbs.find((declared) => declared.path === path) ?? {}
  return examples.map((rest) => `bearing ${path} ${rest}`.trimEnd())
}
