import type { Command, Option } from 'commander'
import { visibleCommands } from './command-tree.js'

/**
 * Checks a command line of a text against the tree: present names of commands, and flags that exist.
 *
 * @param line what follows `bearing`; values are not checked, and may be placeholders
 * @returns what is wrong with it; undefined if nothing is
 */
export function mistakeIn(program: Command, line: string): string | undefined {
  const words = wordsOf(line)
  let command = program
  let isArgument = false
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2)
      if (name === '--help' || name === '-h') continue
      const option = optionOf(program, command, name)
      if (!option) return `unknown flag ${name} of ${command.name()}`
      if (option.required && value === undefined) index++
      continue
    }
    if (isArgument || command.commands.length === 0) {
      isArgument = true
      continue
    }
    const child = visibleCommands(command).find((candidate) => candidate.name() === word)
    if (!child) return `no command "${word}" in ${command.name()}`
    command = child
  }
  return undefined
}

function optionOf(program: Command, command: Command, name: string): Option | undefined {
  const isIt = ({ long, short }: Option) => long === name || short === name
  return [...command.options, ...program.options].find(isIt)
}

/** Splits as a shell would, up to a pipe, a redirection or a comment. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/"[^"]*"|'[^']*'|[^\s"']+(?:"[^"]*"|'[^']*'|[^\s"']+)*/g)) {
    if (/^(?:[|;&<>)]|\d?>|#)/.test(word) && !/^<[\w -]+>/.test(word)) break
    words.push(word)
  }
  return words
}
