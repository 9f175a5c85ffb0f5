import { Connection } from '@bearing/nats/connection'
import { measureConsumers } from '@bearing/service/observe/measure-consumers'
import { Metrics } from '@bearing/service/observe/metrics'
import { Module } from '@nestjs/common'
import { StorageModule } from '../storage/storage.module.js'
import { DataHorizon } from './data-horizon.js'
import { DataReader } from './data-reader.js'
import { DeviceDataFeed } from './device-data-feed.js'
import { ReadData } from './read-data.js'

/**
 * The ways out for what devices send: the stream for internal services, where every wing that stores data of devices publishes it
 * and `erasure` deletes it, and the read across all devices of a project. It imports `storage` and `ground`.
 */
@Module({
  imports: [StorageModule],
  controllers: [ReadData],
  providers: [DeviceDataFeed, DataHorizon, DataReader],
  exports: [DeviceDataFeed, DataReader],
})
export class FeedModule {
  constructor(metrics: Metrics, connection: Connection) {
    measureConsumers(metrics, connection)
  }
}
