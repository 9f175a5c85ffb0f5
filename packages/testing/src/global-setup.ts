import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCache, sweepCompileCache } from '@bearing/local/compile-cache'
import { needsStack } from './needs-stack.js'
import { startSharedStack } from './shared-stack.js'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const LOGS = '.bearing/test-logs'
/** Lifetime of logs, in milliseconds: a day. */
const KEPT_MS = 24 * 3600 * 1_000

/** The part of Jest's configuration that is used. */
interface JestConfiguration {
  readonly testPathPatterns: { readonly patterns: readonly string[] }
}

/** Starts the shared stack before the first suite, where any suite needs it. */
export default async function setUp({ testPathPatterns }: JestConfiguration): Promise<void> {
  if (!needsStack(ROOT, testPathPatterns.patterns)) return
  const start = performance.now()
  const logs = join(LOGS, `${nameOf(new Date())}-${process.pid}`)
  await Promise.all([removeOldLogs(), sweepCompileCache(compileCache(ROOT))])
  const failure = await startSharedStack(join(ROOT, logs))
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  const outcome = failure
    ? `FAILED after ${seconds} s: ${failure.message}`
    : `started in ${seconds} s, logs in ${logs}`
  process.stderr.write(`\nstack   ${outcome}\n`)
}

async function removeOldLogs(): Promise<void> {
  const folder = join(ROOT, LOGS)
  await mkdir(folder, { recursive: true })
  const end = nameOf(new Date(Date.now() - KEPT_MS))
  for (const name of await readdir(folder))
    if (name < end) await rm(join(folder, name), { recursive: true, force: true })
}

/** Sorts by time, and every file system takes it. */
function nameOf(time: Date): string {
  return time.toISOString().replaceAll(':', '')
}
