import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from '../ground/usage-error.js'

/** Standard input: a pipe, a file or a terminal. */
export type Stdin = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** The prompt for a secret. */
export interface Question {
  readonly stdin: Stdin
  /** Prints a prompt. */
  readonly prompt: (text: string) => void
}

/**
 * Reads secrets from the lines of standard input, one from each.
 *
 * @param names their names in prompts
 * @throws UsageError if one is missing
 */
export async function readSecrets({ stdin, prompt }: Question, names: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({
    write(_chunk, _encoding, callback) {
      callback()
    },
  })
  const terminal = Boolean(stdin.isTTY)
  const lines = createInterface({ input: stdin, output: nowhere, terminal })
  const answers = lines[Symbol.asyncIterator]()
  const secrets: string[] = []
  try {
    for (const name of names) {
      if (terminal)
        prompt(`${name.startsWith('the ') ? `T${name.slice(1)}` : `Value of ${name}`} (not shown): `)
      const { value: line = '' } = (await answers.next()) as { value?: string } // undefined at the end
      const value = withoutLineEnd(line)
      if (terminal) prompt('\n')
      if (value === '') throw missing(name, secrets.length)
      secrets.push(value)
    }
    return secrets
  } finally {
    lines.close()
  }
}

function missing(name: string, before: number): UsageError {
  const line = before === 0 ? 'the first line there' : `line ${before + 1} there`
  return new UsageError(`${name} is read from standard input, but ${line} is empty.`)
}
