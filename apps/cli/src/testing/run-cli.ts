import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from '@bearing/local/compile-cache'

/** The compiled command line. */
export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url))
const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Result of a run of the command line. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Options of a run of the command line. Nothing of the environment of the test gets in. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string | Buffer
  /** The folder that it runs in. */
  readonly cwd?: string
}

/** Runs the command line as a process of its own. */
export function runCli(
  args: readonly string[],
  { environment = {}, stdin = '', cwd }: RunOptions = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { NODE_COMPILE_CACHE: compileCache(CHECKOUT), ...environment }
    const child = spawn(process.execPath, [MAIN, ...args], { env, cwd })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout, stderr })
    })
    // A command that does not read its input closes it early.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
  })
}
