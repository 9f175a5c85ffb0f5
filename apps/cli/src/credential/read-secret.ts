import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from '../usage-error.js'

/** Standard input: a pipe, a file or a terminal. */
export type Stdin = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** Asks for secrets. */
export interface Question {
  readonly stdin: Stdin
  /** Where the questions are asked. */
  readonly prompt: (text: string) => void
}

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
  const [secret = ''] = await readSecrets({ stdin, prompt }, [flag])
  return secret
}

/**
 * Reads secrets from the lines of standard input, one from each.
 *
 * @param names what they are called, for the questions
 * @throws UsageError where one is missing
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
      if (terminal) prompt(`Value of ${name} (not shown): `)
      const { value = '' } = (await answers.next()) as { value?: string } // undefined at the end
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
  return new UsageError(`${name} should come from standard input, but ${line} is empty.`)
}
