import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process says of the time since it was asked last, in milliseconds. */
export interface Pauses {
  /** How long its event loop was held at the longest, by a timer of 1 ms. */
  readonly longestMs: number
  /** The most that its main thread has used of a processor between two ticks of a timer of 1 ms. */
  readonly usedMs: number
  /** The longest collection of young garbage, and of all garbage. */
  readonly minorMs: number
  readonly majorMs: number
}

const POLL_MS = 10
const POLLS = 500

/** Variables that a Node process is started with so that {@link pausesOf} can ask it. */
export function probed(folder: string): { NODE_OPTIONS: string; PAUSES_FOLDER: string } {
  return {
    NODE_OPTIONS: `--import=${new URL('probe.js', import.meta.url).href}`,
    PAUSES_FOLDER: folder,
  }
}

/** Asks a process; what it says next begins now. */
export async function pausesOf(folder: string, pid: number): Promise<Pauses> {
  const file = join(folder, String(pid))
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let poll = 0; poll < POLLS; poll++) {
    await sleep(POLL_MS)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text) as Pauses // the probe writes them
  }
  throw new Error(`process ${String(pid)} does not say how long it was held`)
}
