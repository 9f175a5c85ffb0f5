import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Pid and state that Postgres writes into its data directory. */
export interface Postmaster {
  readonly pid: number
  readonly ready: boolean
}

/** The states of a server, and of a replica, that can be connected to. */
const TAKES_CONNECTIONS = ['ready', 'standby']

/** Reads `postmaster.pid` of a data directory: line 1 is the pid, line 8 the state. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, ready: TAKES_CONNECTIONS.includes(lines[7]?.trim() ?? '') } : undefined
}

const FAST_MS = 15_000
const IMMEDIATE_MS = 5_000

/**
 * Clears what a Postgres left behind whose caller, or which itself, was killed. If it still runs it is stopped; a pid
 * that now belongs to something else never receives a signal.
 *
 * @throws where it still runs and does not stop
 */
export async function clearLeftOver(data: string): Promise<void> {
  const found = await readPostmaster(data)
  if (!found) return
  const runs = () => isPostgresOf(found.pid, data)
  for (const [signal, waitMs] of [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', IMMEDIATE_MS],
  ] as const) {
    if (!(await runs())) break
    process.kill(found.pid, signal)
    for (let waited = 0; waited < waitMs && (await runs()); waited += 50) await sleep(50)
  }
  if (await runs())
    throw new Error(`An earlier Postgres (pid ${found.pid}) still runs on ${data} and does not stop.`)
  // Postgres would refuse to start if the pid were in use again, by whatever process.
  await rm(join(data, 'postmaster.pid'), { force: true })
}

/** Returns true if a process is a Postgres that this package started on this data directory. */
async function isPostgresOf(pid: number, data: string): Promise<boolean> {
  const command = await commandLine(pid)
  return command.includes('postgres') && command.includes(`-D ${data} `)
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return raw.replaceAll('\0', ' ')
  }
  const listed = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  return listed ? `${listed.stdout.trim()} ` : ''
}
