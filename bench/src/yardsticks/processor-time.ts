import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Unit in which Linux counts, in all builds (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100

/**
 * Returns the processor time of processes and their children since they started, in seconds; of ended children only what a parent
 * has waited for.
 */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const all = new Set((await Promise.all(pids.map(withChildren))).flat())
  const ticks = await Promise.all([...all].map(ticksOf))
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}

async function withChildren(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${String(pid)}/task`).catch(() => [])
  const children = await Promise.all(
    tasks.map(async (task) =>
      (await readFile(`/proc/${String(pid)}/task/${task}/children`, 'utf8').catch(() => ''))
        .split(' ')
        .filter((text) => text.trim() !== '')
        .map(Number),
    ),
  )
  return [pid, ...(await Promise.all(children.flat().map(withChildren))).flat()]
}

/** utime, stime, cutime and cstime of proc(5): fields 14 to 17, counted after the name, which may contain spaces. */
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

/** Returns the resident memory of a process in bytes; 0 if it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    return Number(stdout) * 1024
  } catch {
    return 0
  }
}
