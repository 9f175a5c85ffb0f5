import { Connection } from '@bearing/nats/connection'
import { measureConsumers } from '@bearing/service/observe/measure-consumers'
import { Metrics } from '@bearing/service/observe/metrics'
import { Module } from '@nestjs/common'
import { DeviceDataFeed } from './device-data-feed.js'

/**
 * The stream of what devices send, for internal services: every wing that stores data of devices publishes it there, and
 * `erasure` deletes it. It imports `ground`.
 */
@Module({ providers: [DeviceDataFeed], exports: [DeviceDataFeed] })
export class FeedModule {
  constructor(metrics: Metrics, connection: Connection) {
    measureConsumers(metrics, connection)
  }
}
