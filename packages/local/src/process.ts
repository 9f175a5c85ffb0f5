import { setTimeout as sleep } from 'node:timers/promises'
import { launch, type Child, type Launch } from './child.js'

/** A Node program, or any other. */
export type Program = Omit<Launch, 'command' | 'args'> & {
  readonly args?: readonly string[]
  /** Condition for the process to count as started (default: immediately). */
  readonly ready?: Readiness
} & (
    | {
        /** Absolute path of a JavaScript file, run by the Node that runs this process. */
        readonly script: string
        /** Flags of Node, such as {@link SERVICE_FLAGS} (default: none). */
        readonly nodeFlags?: readonly string[]
        /** Folder of Node's compile cache, such as {@link compileCache} (default: none). */
        readonly compileCache?: string
      }
    | { readonly command: string }
  )

/** The condition for a process to count as started: this address answers with 200. */
export interface Readiness {
  readonly url: string
  /** Time limit for that, in milliseconds (default: 30,000). */
  readonly deadlineMs?: number
}

/**
 * Flags that services run with, here and in the images. Node accepts only the first one in `NODE_OPTIONS`. The purpose
 * of each: docs/operations.md#memory.
 */
export const SERVICE_FLAGS = [
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=100',
] as const

const DEADLINE_MS = 30_000
const POLL_MS = 25

/**
 * Starts a program and waits until it is ready.
 *
 * @throws where it ends or the deadline passes before it is ready, with the last lines it printed; then it is gone
 */
export async function startProcess(program: Program): Promise<Child> {
  const { ready, args = [] } = program
  const child = await launch({
    ...program,
    ...('script' in program
      ? {
          command: process.execPath,
          args: [...(program.nodeFlags ?? []), '--enable-source-maps', program.script, ...args],
          env: { ...program.env, NODE_COMPILE_CACHE: program.compileCache },
        }
      : { command: program.command, args }),
  })
  if (ready) await untilReady(child, program.name, ready)
  return child
}

async function untilReady(child: Child, name: string, { url, deadlineMs = DEADLINE_MS }: Readiness) {
  const over = new AbortController()
  const timer = setTimeout(() => {
    over.abort()
  }, deadlineMs)
  const outcome = await Promise.race([child.exited, untilAnswer(url, over.signal)])
  clearTimeout(timer)
  over.abort()
  if (outcome === 'answered') return
  if (outcome === 'late') {
    await child.kill()
    throw new Error(`${name} was not ready after ${deadlineMs / 1000} s.${printed(child)}`)
  }
  const { code, signal } = outcome
  throw new Error(`${name} ended with ${signal ?? `code ${code}`} before it was ready.${printed(child)}`)
}

async function untilAnswer(url: string, over: AbortSignal): Promise<'answered' | 'late'> {
  while (!over.aborted) {
    if (await answers(url, over)) return 'answered'
    await sleep(POLL_MS)
  }
  return 'late'
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** The end of what a process printed, to add to a message. */
export function printed(child: Pick<Child, 'lastLines'>): string {
  const lines = child.lastLines().map((line) => `\n  ${line}`)
  return lines.length > 0 ? ` It printed:${lines.join('')}` : ' It printed nothing.'
}
