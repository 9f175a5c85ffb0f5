import type { CacheFigures } from '@bearing/client-nats/remote-cache'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from '@prometheus-io/client'
import { CallHistogram } from './call-histogram.js'

/** Upper bounds in seconds: from a cached look-up to the longest deadline. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Buckets for outbound requests: from a server nearby to the longest time-out. */
const OUTSIDE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Buckets for the time in a queue: from immediately to an outage of an hour. */
const DELAY_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 3_600]

/** The connections of a pool at the moment, by state. */
export interface PoolFigures {
  readonly size: number
  readonly inUse: number
  readonly idle: number
  /** Those who wait for a connection. */
  readonly waiting: number
}

/** The migrations of a database. */
export interface SchemaFigures {
  readonly name: string
  /** Last migration that the service knows. */
  readonly needed: string
  /** Last migration that the database has; empty: none. */
  readonly applied: string
  readonly missing: number
}

/** The metrics of a process, in the exposition format of Prometheus. */
export class Metrics {
  readonly registry = new Registry()
  private readonly calls: CallHistogram
  private outgoingCalls: Histogram<'to' | 'outcome'> | undefined
  private schemaInfo: Gauge<'schema' | 'needed' | 'applied'> | undefined
  private schemaMissing: Gauge<'schema'> | undefined
  private readonly caches = new Map<string, () => CacheFigures>()
  private readonly pools = new Map<string, () => PoolFigures>()

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    this.calls = new CallHistogram({
      name: 'bearing_call_duration_seconds',
      help: 'Time to answer a call, by operation (its subject) and outcome (ok, or the error code).',
      buckets: BUCKETS,
      registry: this.registry,
    })
  }

  /** Counts one call. */
  called(operation: string, outcome: string, durationMs: number): void {
    this.calls.count(operation, outcome, durationMs / 1_000)
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

  /** Reports totals that are counted elsewhere whenever metrics are collected. The name ends with `_total`. */
  totals(
    name: string,
    help: string,
    [label]: readonly [string],
    totals: Readonly<Record<string, number>>,
  ): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [value, total] of Object.entries(totals)) this.inc({ [label]: value }, total)
      },
    })
  }

  /** Reports which version of a service the process is. */
  build(service: string, version: string): void {
    const labelNames = ['service', 'version', 'node'] as const
    this.gauge('bearing_build_info', 'Always 1: service, its version and that of Node.', labelNames).set(
      { service, version, node: process.versions.node },
      1,
    )
  }

  /**
   * Counts how long what waited in a queue had waited when it was stored.
   *
   * @returns counts one, in milliseconds
   */
  stored(queue: string): (delayMs: number) => void {
    const delays = new Histogram({
      name: 'bearing_stored_delay_seconds',
      help: 'Time from the acceptance of a message to its storage in the database, by queue.',
      labelNames: ['queue'],
      buckets: DELAY_BUCKETS,
      registers: [this.registry],
    })
    return (delayMs) => {
      delays.observe({ queue }, Math.max(0, delayMs) / 1_000)
    }
  }

  /** Reports the migrations that a service needs and those that its database has. */
  schema({ name, needed, applied, missing }: SchemaFigures): void {
    this.schemaInfo ??= this.gauge(
      'bearing_schema_info',
      'Always 1: the last migration that the service needs, and the last one that its database had when it looked.',
      ['schema', 'needed', 'applied'],
    )
    this.schemaMissing ??= this.gauge(
      'bearing_schema_migrations_missing',
      'Migrations that the service waits for.',
      ['schema'],
    )
    this.schemaInfo.reset()
    this.schemaInfo.set({ schema: name, needed, applied }, 1)
    this.schemaMissing.set({ schema: name }, missing)
  }

  /** Reports the figures of a cache whenever metrics are collected. */
  cache(name: string, figures: () => CacheFigures): void {
    if (this.caches.size === 0) this.measureCaches()
    this.caches.set(name, figures)
  }

  /** Reports the figures of a pool of connections to Postgres whenever metrics are collected. */
  pool(name: string, figures: () => PoolFigures): void {
    if (this.pools.size === 0) this.measurePools()
    this.pools.set(name, figures)
  }

  private gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Gauge<Label> {
    return new Gauge<Label>({ name, help, labelNames: [...labelNames], registers: [this.registry] })
  }

  private measureCaches(): void {
    const { caches } = this
    new Counter({
      name: 'bearing_cache_lookups_total',
      help: 'Look-ups, by cache and outcome (hit: from memory; miss: waited for).',
      labelNames: ['cache', 'outcome'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [cache, figures] of caches) {
          const { hits, misses } = figures()
          this.inc({ cache, outcome: 'hit' }, hits)
          this.inc({ cache, outcome: 'miss' }, misses)
        }
      },
    })
    new Gauge({
      name: 'bearing_cache_entries',
      help: 'Entries at the moment, by cache.',
      labelNames: ['cache'],
      registers: [this.registry],
      collect() {
        for (const [cache, figures] of caches) this.set({ cache }, figures().size)
      },
    })
  }

  private measurePools(): void {
    const { pools } = this
    const measure = (name: string, help: string, valueOf: (figures: PoolFigures) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['pool'],
        registers: [this.registry],
        collect() {
          for (const [pool, figures] of pools) this.set({ pool }, valueOf(figures()))
        },
      })
    measure('bearing_postgres_pool_size', 'Connections to Postgres at most, by pool.', ({ size }) => size)
    measure('bearing_postgres_pool_in_use', 'Connections that are in use, by pool.', ({ inUse }) => inUse)
    measure('bearing_postgres_pool_idle', 'Connections that are open and idle, by pool.', ({ idle }) => idle)
    measure(
      'bearing_postgres_pool_waiting',
      'Statements and transactions that wait for a connection, by pool.',
      ({ waiting }) => waiting,
    )
  }
}
