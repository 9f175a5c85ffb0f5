import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { traceWith } from '@bearing/nats/tracing'
import { createLogger } from '@bearing/service/logger'
import { Metrics } from '@bearing/service/metrics'
import { OtlpTracer } from '@bearing/service/otlp-tracer'
import type { Reading } from './switched.js'

/**
 * What is loaded before a program, to switch its traces on and off while it runs: at SIGUSR2 it writes the processor time that it has
 * used, and does what a file says. Switched off, it runs the code of a process without a collector; spans have left before.
 */
const { TRACES_FOLDER: folder, TRACES_ENDPOINT: endpoint } = process.env
/** How long the last spans may take to leave, in milliseconds. */
const LAST_MS = 30_000

if (isMainThread && folder !== undefined && endpoint !== undefined) {
  const file = join(folder, String(process.pid))
  const newTracer = () =>
    new OtlpTracer({ service: 'bench', endpoint, headers: {} }, new Metrics(), createLogger('bench', 'warn'))
  let tracer: OtlpTracer | undefined = newTracer()
  // Before the program starts: it prepares its connections to Postgres for traces only then.
  traceWith(tracer)
  switchStatements(() => tracer !== undefined)

  const change = async () => {
    traceWith(undefined)
    await tracer?.close(LAST_MS)
    tracer = readFileSync(join(folder, 'wanted'), 'utf8') === 'on' ? newTracer() : undefined
    const { user, system } = process.cpuUsage()
    traceWith(tracer)
    const reading: Reading = { micros: user + system }
    writeFileSync(`${file}.new`, JSON.stringify(reading))
    renameSync(`${file}.new`, file)
  }
  process.on('SIGUSR2', () => {
    void change()
  })
}

/** A process without a collector does not trace the statements of its connections: neither do these while traces are off. */
function switchStatements(isOn: () => boolean): void {
  for (const prototype of queriersOf(process.argv[1] ?? '')) {
    const { query } = prototype
    const traced = new WeakMap<object, unknown>()
    Object.defineProperty(prototype, 'query', {
      get(this: object) {
        return isOn() ? (traced.get(this) ?? query) : query
      },
      set(this: object, value: unknown) {
        traced.set(this, value)
      },
    })
  }
}

/** What of `pg` statements are given to, if the program has it. */
function queriersOf(program: string): readonly { readonly query: unknown }[] {
  try {
    const pg = createRequire(program)('pg') as Record<'Pool' | 'Client', { prototype: { query: unknown } }>
    return [pg.Pool.prototype, pg.Client.prototype]
  } catch {
    return []
  }
}
