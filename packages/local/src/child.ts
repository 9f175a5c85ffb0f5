import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Receives each line that a process prints. */
export type Log = (line: string) => void

/** A signal that asks a process to shut down: SIGUSR2 is `nats-server --signal ldm`. */
type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGUSR2'

/** Options of a process. */
export interface Launch {
  /** The name in messages. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the process: nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string | undefined
  /** Run as this user instead of the caller; only for root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** Name of the network namespace that it runs in (`ip netns`; default: that of this process); only for root. */
  readonly network?: string | undefined
  readonly log?: Log | undefined
  /**
   * File that the process itself appends its output to, so that this one need not read it (default: none). `log` receives nothing
   * then.
   */
  readonly outputFile?: string | undefined
  /** Signal that asks the process to shut down (default: SIGTERM). */
  readonly stopSignal?: StopSignal
  /** Time that {@link Child.stop} waits before it kills the process, in milliseconds (default: 15,000). */
  readonly graceMs?: number
}

/** A running process of this machine. */
export interface Child {
  readonly pid: number
  /** Resolves, never rejects, when the process has ended and all its output was read. */
  readonly exited: Promise<Exit>
  /** The last lines it printed, oldest first. */
  lastLines(): readonly string[]
  /** Asks the process to end, kills it after the grace, and waits until it is gone. */
  stop(): Promise<void>
  /** Kills the process without warning and waits until it is gone. */
  kill(): Promise<void>
}

/** The end of a process: with a code, or by a signal. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const LINES_KEPT = 40
/** Part of a file that is searched for the last lines, in bytes from its end. */
const LINES_BYTES = 64 * 1024
const GRACE_MS = 15_000

/**
 * Starts a process that lives no longer than this one: if this one dies, however hard, the process is asked to end, and
 * killed after ten seconds.
 *
 * It gets a session of its own, so that Ctrl-C in a terminal reaches only this process, which then stops the others in
 * the right order.
 *
 * @throws where the command cannot be started
 */
export async function launch(options: Launch): Promise<Child> {
  const { name, env, cwd, user, log, outputFile, stopSignal = 'SIGTERM', graceMs = GRACE_MS } = options
  const [command, ...args] = commandLine(options)
  const file = outputFile === undefined ? undefined : openSync(outputFile, 'a')
  const output = file ?? 'pipe'
  const child = spawn(command, args, {
    env: { ...env },
    cwd,
    // Only root enters a namespace; there `nsenter` becomes the user.
    ...(options.network === undefined && user),
    detached: true,
    stdio: ['ignore', output, output],
  })
  if (file !== undefined) closeSync(file)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface(stream).on('line', (line) => {
        if (lines.push(line) > LINES_KEPT) lines.shift()
        log?.(line)
      })
  const pid = await started(child, name)
  const watch = watchOver(pid, stopSignal)
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      void watch.end().then(() => {
        resolve({ code, signal })
      })
    })
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  return {
    pid,
    exited,
    lastLines: () => (outputFile === undefined ? lines : lastLinesOf(outputFile)),
    kill: () => end('SIGKILL'),
    stop: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await end(stopSignal)
      clearTimeout(timer)
    },
  }
}

function lastLinesOf(file: string): string[] {
  const lines = endOfFile(file, LINES_BYTES).split('\n')
  return lines.filter((line) => line !== '').slice(-LINES_KEPT)
}

/** Returns the end of a file, at most so many bytes. */
export function endOfFile(path: string, bytes: number): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(bytes, size))
    return end.toString('utf8', 0, readSync(file, end, 0, end.length, size - end.length))
  } finally {
    closeSync(file)
  }
}

/** `nsenter` replaces itself by the command, so that the process id is that of the command. */
function commandLine({ command, args, network, user }: Launch): [string, ...string[]] {
  if (network === undefined) return [command, ...args]
  const as = user === undefined ? [] : [`--setuid=${user.uid}`, `--setgid=${user.gid}`]
  return ['/usr/bin/nsenter', `--net=/run/netns/${network}`, ...as, '--', command, ...args]
}

function started(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`${name} could not be started: ${error.message}`, { cause: error }))
    })
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve(child.pid)
    })
  })
}

/** Waits for the end of its standard input, which the kernel closes when the parent dies; $1 is a pid, $2 a signal. */
const WATCH = `
read -r _
kill -"$2" "$1" || exit 0
i=0
while kill -0 "$1" 2>/dev/null; do
  [ $i -lt 100 ] || { kill -KILL "$1"; exit 0; }
  sleep 0.1
  i=$((i + 1))
done`

/** Ends a process when this one dies. A process that dies by SIGKILL cannot do that itself. */
function watchOver(pid: number, signal: StopSignal): { end(): Promise<void> } {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'watch', String(pid), signal.slice('SIG'.length)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => {
    watcher.once('error', () => {
      resolve()
    })
    watcher.once('close', () => {
      resolve()
    })
  })
  return {
    end: () => {
      watcher.kill('SIGKILL')
      return ended
    },
  }
}
