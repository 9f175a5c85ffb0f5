import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { compileCache } from '@bearing/local/compile-cache'
import { readEnvironment } from '../ground/environment.js'
import { run } from '../program/run.js'
import type { Terminal } from '../session/cli.js'

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

/** Runs the command line in the process of the test, without a terminal: a process takes half a second to load it. */
export async function runCli(
  args: readonly string[],
  { environment = {}, stdin = '', cwd = process.cwd() }: RunOptions = {},
): Promise<Ran> {
  const stdout = new Printed()
  const stderr = new Printed()
  const code = await run(args, {
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) as Terminal['stdin'], // the members that commands use
    stdout: stdout as Writable as NodeJS.WriteStream, // no terminal: commands look at `isTTY` and `columns` alone
    stderr: stderr as Writable as NodeJS.WriteStream,
    environment: readEnvironment(environment, cwd),
    now: Date.now,
    signal: new AbortController().signal,
  })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** Runs the command line as a process of its own, for what belongs to the process: its folder, its proxy, its streams. */
export function runProcess(
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

/** Keeps what is written to it. */
class Printed extends Writable {
  private readonly chunks: Buffer[] = []

  get text(): string {
    return Buffer.concat(this.chunks).toString()
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk)
    done()
  }
}
