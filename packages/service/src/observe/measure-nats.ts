import type { Connection } from '@bearing/nats/connection'
import { Counter, Gauge } from '@prometheus-io/client'
import type { Metrics } from './metrics.js'

/** Time that a collection of metrics waits for NATS, in milliseconds. */
const PING_MS = 1_000

/** Reports the connection to NATS whenever metrics are collected. */
export function measureNats({ registry }: Metrics, connection: Connection): void {
  new Gauge({
    name: 'bearing_nats_connected',
    help: 'Whether the process is connected to NATS (1) or reconnects (0).',
    registers: [registry],
    collect() {
      this.set(connection.isUp ? 1 : 0)
    },
  })
  new Counter({
    name: 'bearing_nats_reconnects_total',
    help: 'Times that the connection to NATS was lost and came back.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(connection.reconnects)
    },
  })
  new Gauge({
    name: 'bearing_nats_round_trip_seconds',
    help: 'Last measured round trip to the NATS server; it stays as it was while NATS does not answer.',
    registers: [registry],
    async collect() {
      await connection.ping(PING_MS).catch(() => undefined)
      this.set((connection.lastRoundTripMs ?? Number.NaN) / 1_000)
    },
  })
}
