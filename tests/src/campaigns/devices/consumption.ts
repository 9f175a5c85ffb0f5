import { readFileSync, readdirSync } from 'node:fs'

/** Of the kernel, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100

/** Consumption of a process with its children: Postgres has one for each connection. */
export interface Consumption {
  readonly processorSeconds: number
  /** Memory in bytes; pages that several processes share are divided among them. */
  readonly memoryBytes: number
}

/** Reads the consumption of a process. @param pid of a process that runs */
export function consumptionOf(pid: number): Consumption {
  const children = childrenOf(pid)
  const ticks = ticksOf(pid, true) + sum(children.map((child) => ticksOf(child, false)))
  return {
    processorSeconds: ticks / TICKS_PER_SECOND,
    memoryBytes: sum([pid, ...children].map(residentBytes)),
  }
}

/** @param withEnded whether children that have ended count */
function ticksOf(pid: number, withEnded: boolean): number {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = statOf(pid).slice(11, 15).map(Number)
  return user + system + (withEnded ? endedUser + endedSystem : 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => Number(statOf(child)[1]) === pid)
}

/** Returns the fields of `/proc/<pid>/stat` behind the name; none if the process has ended. */
function statOf(pid: number): string[] {
  const text = read(`/proc/${String(pid)}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Needs root for processes of another user; resident memory elsewhere. */
function residentBytes(pid: number): number {
  const [, proportional] = /^Pss: +(\d+) kB$/m.exec(read(`/proc/${String(pid)}/smaps_rollup`)) ?? []
  const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${String(pid)}/status`)) ?? []
  return Number(proportional ?? resident ?? 0) * 1_024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
