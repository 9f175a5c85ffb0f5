import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askProcess } from '../ask-process.js'

/** What a process says when it is switched. */
export interface Reading {
  /** Processor time that it has used since it started, in microseconds. */
  readonly micros: number
}

const ANSWER = { everyMs: 3, withinMs: 60_000 }

/**
 * Variables that a Node process is started with so that {@link switchTraces} can switch its traces. They are on at first.
 *
 * @param folder in which processes say what they have done
 * @param endpoint base URL of a collector
 */
export function switched(folder: string, endpoint: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${new URL('switch.js', import.meta.url).href}`,
    TRACES_FOLDER: folder,
    TRACES_ENDPOINT: endpoint,
  }
}

/** Switches the traces of processes, after their spans have left. @returns processor time of all until then, in microseconds */
export async function switchTraces(
  folder: string,
  pids: readonly number[],
  state: 'on' | 'off',
): Promise<number> {
  await writeFile(join(folder, 'wanted'), state)
  const readings = await Promise.all(pids.map((pid) => askProcess<Reading>(folder, pid, ANSWER)))
  return readings.reduce((sum, { micros }) => sum + micros, 0)
}
