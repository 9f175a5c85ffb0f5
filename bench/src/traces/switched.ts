import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process says when it is switched. */
export interface Reading {
  /** Processor time that it has used since it started, in microseconds. */
  readonly micros: number
}

const POLL_MS = 3
const POLLS = 20_000

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
  const readings = await Promise.all(pids.map((pid) => switchOne(folder, pid)))
  return readings.reduce((sum, { micros }) => sum + micros, 0)
}

async function switchOne(folder: string, pid: number): Promise<Reading> {
  const file = join(folder, String(pid))
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let poll = 0; poll < POLLS; poll++) {
    await sleep(POLL_MS)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text) as Reading // the switch writes it
  }
  throw new Error(`process ${String(pid)} does not switch its traces`)
}
