import { Gauge } from '@prometheus-io/client'
import type { Clock } from '../ground/clock.js'
import type { Runtime } from './runtime.js'
import { warnSeldom } from './warn-seldom.js'

/** The waiting entries of a queue. */
export interface Backlog {
  /** Number of entries; of tables no more than {@link MOST_COUNTED} are counted. */
  readonly entries: number
  /** Time since which the oldest has waited; null if there is none. */
  readonly since: Date | null
}

/** Maximum number of rows of a table that are counted, so that counting stays cheap if many wait. */
export const MOST_COUNTED = 100_000

/** A queue is measured no more often than this, however often metrics are asked for, in milliseconds. */
const MEASURED_EVERY_MS = 5_000
/** Time that metrics wait for a measurement, in milliseconds. */
const PATIENCE_MS = 2_000

/**
 * Adds to the metrics of a process how much waits in its queues, and for how long. They are measured when metrics are asked
 * for. One that cannot be measured is left out, and holds up no others.
 *
 * @param queues what measures them, by the label that they have; it rejects where it cannot
 */
export function measureQueues(
  { metrics, logger }: Pick<Runtime, 'metrics' | 'logger'>,
  clock: Clock,
  queues: Readonly<Record<string, () => Promise<Backlog>>>,
): void {
  const failed = warnSeldom(logger, 'a queue cannot be measured; metrics leave it out')
  const measured = Object.entries(queues).map(([queue, measure]) => [queue, seldom(measure, failed)] as const)
  const gauge = (name: string, help: string, valueOf: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [metrics.registry],
      async collect() {
        const looks = measured.map(async ([queue, look]) => [queue, await look()] as const)
        const backlogs = await Promise.all(looks)
        this.reset()
        for (const [queue, backlog] of backlogs) if (backlog) this.set({ queue }, valueOf(backlog))
      },
    })
  gauge('bearing_queue_entries', 'What waits at the moment, by queue.', ({ entries }) => entries)
  gauge(
    'bearing_queue_oldest_age_seconds',
    'How long the oldest of what waits has waited, by queue; 0 where nothing waits.',
    ({ since }) => (since ? Math.max(0, clock.nowMs() - since.getTime()) / 1_000 : 0),
  )
}

/** Measures at most every few seconds, and never twice at the same time, so that a database that hangs receives no further queries. */
function seldom(
  measure: () => Promise<Backlog>,
  failed: (error: unknown) => void,
): () => Promise<Backlog | undefined> {
  let last: Promise<Backlog | undefined> = Promise.resolve(undefined)
  let begunAtMs = -Infinity
  let isUnderWay = false
  return () => {
    if (!isUnderWay && performance.now() - begunAtMs >= MEASURED_EVERY_MS) {
      begunAtMs = performance.now()
      isUnderWay = true
      last = measure()
        .catch((error: unknown) => {
          failed(error)
          return undefined
        })
        .finally(() => {
          isUnderWay = false
        })
    }
    return inTime(last)
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
