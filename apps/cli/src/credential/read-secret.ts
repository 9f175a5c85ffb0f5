import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from '../usage-error.js'

/** Standard input: a pipe, a file or a terminal. */
export type Stdin = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/**
 * Reads a secret from the first line of standard input. On a terminal it is asked for, and not shown while typed.
 *
 * @param prompt where the question is asked
 * @param flag the flag whose value is read, for the question
 * @throws UsageError where there is none
 */
export async function readSecret(
  stdin: Stdin,
  prompt: (text: string) => void,
  flag: string,
): Promise<string> {
  const nowhere = new Writable({
    write(_chunk, _encoding, callback) {
      callback()
    },
  })
  const terminal = Boolean(stdin.isTTY)
  if (terminal) prompt(`Value of ${flag} (not shown): `)
  const lines = createInterface({ input: stdin, output: nowhere, terminal })
  try {
    for await (const line of lines) {
      if (line === '') break
      return line
    }
  } finally {
    lines.close()
    if (terminal) prompt('\n')
  }
  throw new UsageError(`${flag} should come from standard input, but the first line there is empty.`)
}
