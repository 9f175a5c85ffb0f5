import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PerformanceObserver, constants, monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import type { Pauses } from './probed.js'

/**
 * What is loaded before a program, to see how long its event loop is held: at SIGUSR2 it writes that into a folder.
 *
 * On a busy machine the time that a timer comes late is mostly that of others; what this thread itself has used of a
 * processor between two ticks is not.
 */
const folder = process.env['PAUSES_FOLDER']
const TICK_MS = 1
const MICROSECONDS = 1_000
const NANOSECONDS = 1_000_000

if (isMainThread && folder !== undefined) {
  const none = { usedMs: 0, minorMs: 0, majorMs: 0 }
  const most = { ...none }
  const delay = monitorEventLoopDelay({ resolution: TICK_MS })
  delay.enable()
  let before = process.threadCpuUsage()
  setInterval(() => {
    const now = process.threadCpuUsage()
    const used = now.user + now.system - before.user - before.system
    before = now
    most.usedMs = Math.max(most.usedMs, used / MICROSECONDS)
  }, TICK_MS).unref()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail } = entry as unknown as { detail: { kind: number } } // as those of collections are
      const size = detail.kind === constants.NODE_PERFORMANCE_GC_MINOR ? 'minorMs' : 'majorMs'
      most[size] = Math.max(most[size], entry.duration)
    }
  }).observe({ entryTypes: ['gc'] })
  const file = join(folder, String(process.pid))
  process.on('SIGUSR2', () => {
    const pauses: Pauses = { longestMs: Math.max(0, delay.max / NANOSECONDS - TICK_MS), ...most }
    delay.reset()
    Object.assign(most, none)
    void writeFile(`${file}.new`, JSON.stringify(pauses)).then(() => rename(`${file}.new`, file))
  })
}
