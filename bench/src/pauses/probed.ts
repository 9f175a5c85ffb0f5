import { askProcess } from '../ask-process.js'

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

const ANSWER = { everyMs: 10, withinMs: 5_000 }

/** Variables that a Node process is started with so that {@link pausesOf} can ask it. */
export function probed(folder: string): { NODE_OPTIONS: string; PAUSES_FOLDER: string } {
  return {
    NODE_OPTIONS: `--import=${new URL('probe.js', import.meta.url).href}`,
    PAUSES_FOLDER: folder,
  }
}

/** Asks a process; what it says next begins now. */
export function pausesOf(folder: string, pid: number): Promise<Pauses> {
  return askProcess<Pauses>(folder, pid, ANSWER)
}
