import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const SAMPLE_MS = 100

/** Looks at the resident memory of processes until it is stopped. What it was at most is in bytes. */
export function watchMemory(pids: readonly number[]): { stop: () => Promise<number[]> } {
  const seen = pids.map(() => [] as number[])
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const [index, pid] of pids.entries()) seen[index]?.push(await residentBytes(pid))
      await sleep(SAMPLE_MS)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await watching
      return seen.map((samples) => Math.max(...samples))
    },
  }
}

/** The resident memory of a process in bytes; 0 where it is gone. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    return Number(stdout) * 1024
  } catch {
    return 0
  }
}
