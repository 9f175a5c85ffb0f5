import type { CacheFigures } from '@bearing/client-nats/credential-cache'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from '@prometheus-io/client'

/** Upper bounds in seconds: from a cached look-up to the longest deadline. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What a process counts, in the exposition format of Prometheus. */
export class Metrics {
  readonly registry = new Registry()
  private readonly calls: Histogram<'operation' | 'outcome'>

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    this.calls = new Histogram({
      name: 'bearing_call_duration_seconds',
      help: 'Time to answer a call, by operation (its subject) and outcome (ok, or the error code).',
      labelNames: ['operation', 'outcome'],
      buckets: BUCKETS,
      registers: [this.registry],
    })
  }

  /** Counts one call. */
  called(operation: string, outcome: string, durationMs: number): void {
    this.calls.observe({ operation, outcome }, durationMs / 1_000)
  }

  /** Makes a counter of one's own. The name starts with `bearing_` and ends with `_total`. */
  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter<Label>({ name, help, labelNames: [...labelNames], registers: [this.registry] })
  }
  /** Tells what the process's one cache has done and holds, whenever metrics are asked for. */
  cache(name: string, figures: () => CacheFigures): void {
    new Counter({
      name: 'bearing_cache_lookups_total',
      help: 'Look-ups, by cache and outcome (hit: from memory; miss: waited for).',
      labelNames: ['cache', 'outcome'],
      registers: [this.registry],
      collect() {
        const { hits, misses } = figures()
        this.reset()
        this.inc({ cache: name, outcome: 'hit' }, hits)
        this.inc({ cache: name, outcome: 'miss' }, misses)
      },
    })
    new Gauge({
      name: 'bearing_cache_entries',
      help: 'Entries at the moment, by cache.',
      labelNames: ['cache'],
      registers: [this.registry],
      collect() {
        this.set({ cache: name }, figures().size)
      },
    })
  }
}
