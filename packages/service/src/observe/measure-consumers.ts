import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import type { Connection } from '@bearing/nats/connection'
import { listFeedConsumers } from '@bearing/nats/feed-consumers'
import { Gauge } from '@prometheus-io/client'
import type { Metrics } from './metrics.js'

/** Adds to the metrics how many messages wait for each consumer of the stream of device data. Left out while NATS is away. */
export function measureConsumers(metrics: Metrics, connection: Connection): void {
  new Gauge({
    name: 'bearing_stream_consumer_waiting',
    help: 'Messages of the stream of device data that a consumer has not acknowledged, by consumer.',
    labelNames: ['consumer'],
    registers: [metrics.registry],
    async collect() {
      const consumers = await listFeedConsumers(connection, DEVICE_DATA_STREAM).catch(() => [])
      this.reset()
      for (const { name, waiting } of consumers) this.set({ consumer: name }, waiting)
    },
  })
}
