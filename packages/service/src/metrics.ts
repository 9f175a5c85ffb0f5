import type { CacheFigures } from '@bearing/client-nats/remote-cache'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from '@prometheus-io/client'

/** Upper bounds in seconds: from a cached look-up to the longest deadline. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Buckets for outbound requests: from a server nearby to the longest time-out. */
const OUTSIDE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What a process counts, in the exposition format of Prometheus. */
export class Metrics {
  readonly registry = new Registry()
  private readonly calls: Histogram<'operation' | 'outcome'>
  private outgoingCalls: Histogram<'to' | 'outcome'> | undefined

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

  /**
   * Counts calls of somebody outside.
   *
   * @param to what kind of receiver it is, of a few; never an address, nor whose it is
   * @returns counts one, with what came of it, one of a few words too
   */
  outgoing(to: string): (outcome: string, durationMs: number) => void {
    const calls = (this.outgoingCalls ??= new Histogram({
      name: 'bearing_outgoing_call_duration_seconds',
      help: 'Time that somebody outside took, by kind (to) and outcome (ok, the class of the status, or why there was none).',
      labelNames: ['to', 'outcome'],
      buckets: OUTSIDE_BUCKETS,
      registers: [this.registry],
    }))
    return (outcome, durationMs) => {
      calls.observe({ to, outcome }, durationMs / 1_000)
    }
  }

  /** Creates a counter. The name starts with `bearing_` and ends with `_total`. */
  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter<Label>({ name, help, labelNames: [...labelNames], registers: [this.registry] })
  }
  /** Reports the figures of a cache whenever metrics are collected. */
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
