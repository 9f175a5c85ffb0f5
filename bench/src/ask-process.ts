import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks a process with SIGUSR2, and waits for what it writes to the file of its id.
 *
 * @param everyMs how often it looks for the file, and `withinMs` how long
 * @returns the JSON that the process wrote: what that is, is between its preloaded module and the caller
 * @throws Error if the process does not answer
 */
export async function askProcess<Answer>(
  folder: string,
  pid: number,
  { everyMs, withinMs }: { readonly everyMs: number; readonly withinMs: number },
): Promise<Answer> {
  const file = join(folder, String(pid))
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += everyMs) {
    await sleep(everyMs)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text) as Answer // the module writes it
  }
  throw new Error(`process ${String(pid)} does not answer`)
}
