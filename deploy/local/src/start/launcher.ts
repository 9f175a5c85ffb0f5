import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

interface Ancestor {
  readonly pid: number
  readonly command: string
}

const POLL_MS = 500
/** Shells between package managers, and more of those than anybody has. */
const MAX_DEPTH = 12

/**
 * Calls back when a package manager that this program was started through is gone: `npx` and `pnpm` do not pass on a
 * SIGTERM, so stopping them would leave everything running. Shells above them may exit.
 */
export function onLauncherGone(callback: () => void): void {
  const launchers = ancestors()
  const first = launchers.findLastIndex(isPackageManager)
  if (first < 0) return
  const chain = pidsOf(launchers.slice(0, first + 1))
  const timer = setInterval(() => {
    if (pidsOf(ancestors().slice(0, first + 1)) === chain) return
    clearInterval(timer)
    callback()
  }, POLL_MS).unref()
}

/** `npm exec …`, `node …/npx-cli.js …`, `pnpm …`; not a shell that has one of those in its command. */
function isPackageManager({ command }: Ancestor): boolean {
  return command
    .split(' ', 2)
    .map((word) => basename(word))
    .some((word) => /^(npm|npx|pnpm)\b/.test(word))
}

function pidsOf(processes: readonly Ancestor[]): string {
  return processes.map(({ pid }) => pid).join(' ')
}

/** The processes above this one, nearest first. */
function ancestors(): Ancestor[] {
  const found: Ancestor[] = []
  for (let pid = process.ppid; pid > 1 && found.length < MAX_DEPTH;) {
    const { command, parent } = describe(pid)
    found.push({ pid, command })
    pid = parent
  }
  return found
}

function describe(pid: number): { command: string; parent: number } {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
    const [, parent = '0', command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? []
    return { command, parent: Number(parent) }
  }
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // After the name, which is in brackets and may hold anything: state, parent, …
    const [, , parent = '0'] =
      /\)([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]?.split(' ') ?? []
    return { command, parent: Number(parent) }
  } catch {
    return { command: '', parent: 0 }
  }
}
