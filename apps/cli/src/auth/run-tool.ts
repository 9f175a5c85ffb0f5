import { spawn } from 'node:child_process'

/** How long a keychain may ask its user for a password, in milliseconds. */
const TIMEOUT_MS = 60_000

/**
 * Runs a program with text on its standard input: arguments can be read by every user of the machine, standard input cannot.
 *
 * @returns its standard output; undefined if it is missing, fails, or takes longer than a minute
 */
export function runTool(
  program: string,
  args: readonly string[],
  input: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Not the option `timeout`: its timer keeps this process running if the program is missing.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], signal })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.once('error', () => {
      resolve(undefined)
    })
    child.once('close', (code) => {
      resolve(code === 0 ? output : undefined)
    })
    // A program that does not read its input closes it early.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
