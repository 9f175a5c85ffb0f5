import { DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters, SweepDeadLetters } from '@bearing/service/store/dead-letters'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import { FeedModule } from '../feed/feed.module.js'
import { SWEEP_INTERVAL_MS } from '../ground/sweep-interval.js'
import { Database } from '../ground/database.js'
import { StorageModule } from '../storage/storage.module.js'
import { TenancyModule } from '../tenancy/tenancy.module.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'
import { ChunkConsumer } from './chunks/chunk-consumer.js'
import { ConsumeMessages } from './chunks/consume-messages.js'
import { ListChunks } from './chunks/list-chunks.js'
import { ReadChunk } from './chunks/read-chunk.js'
import { StoreMessages } from './chunks/store-messages.js'
import { ChangeDataPolicy } from './data-policy/change-data-policy.js'
import { ChunkQuotas } from './data-policy/chunk-quotas.js'
import { CreateChunkDays } from './data-policy/create-chunk-days.js'
import { FindDataPolicy } from './data-policy/find-data-policy.js'
import { ShowDataPolicy } from './data-policy/show-data-policy.js'
import { SweepChunks } from './data-policy/sweep-chunks.js'
import { chunkRetention } from './dead-letters/dead-letter.js'
import { ListDeadLetters } from './dead-letters/list-dead-letters.js'
import { ReplayDeadLetters } from './dead-letters/replay-dead-letters.js'
import { StoreDeadLetter } from './dead-letters/store-dead-letter.js'
import { ChangeDevice } from './devices/attributes/change-device.js'
import { DeclareAttribute } from './devices/attributes/declare-attribute.js'
import { DeleteAttribute } from './devices/attributes/delete-attribute.js'
import { ImportDevices } from './devices/attributes/import-devices.js'
import { ListAttributes } from './devices/attributes/list-attributes.js'
import { SweepAttributes } from './devices/attributes/sweep-attributes.js'
import { FindLatestRelease } from './devices/find-latest-release.js'
import { IsDeviceKnown } from './devices/is-device-known.js'
import { ListDevices } from './devices/list-devices.js'
import { ReadDeviceConfig } from './devices/read-device-config.js'
import { RegisterDevice } from './devices/register-device.js'
import { SetDeviceSampling } from './devices/set-device-sampling.js'
import { ShowDevice } from './devices/show-device.js'
import { ShowDeviceIdentity } from './devices/show-device-identity.js'
import { ShowDeviceUsage } from './devices/show-device-usage.js'

/**
 * Devices and the chunks they send: the queue's consumer, storage, quotas and retention by the project's data policy, and
 * dead letters; nicknames and attributes of devices. Higher wings may read devices and delete dead letters. It imports `webhooks`, `feed`, `storage`, `tenancy` and
 * `ground`.
 */
@Module({
  imports: [FeedModule, StorageModule, TenancyModule, WebhooksModule],
  controllers: [
    ChangeDataPolicy,
    ChangeDevice,
    DeclareAttribute,
    DeleteAttribute,
    FindDataPolicy,
    FindLatestRelease,
    ImportDevices,
    IsDeviceKnown,
    ListAttributes,
    ListChunks,
    ListDeadLetters,
    ListDevices,
    ReadChunk,
    ReadDeviceConfig,
    RegisterDevice,
    ReplayDeadLetters,
    SetDeviceSampling,
    ShowDataPolicy,
    ShowDevice,
    ShowDeviceIdentity,
    ShowDeviceUsage,
  ],
  providers: [
    ChunkConsumer,
    ConsumeMessages,
    StoreDeadLetter,
    StoreMessages,
    ChunkQuotas,
    CreateChunkDays,
    {
      provide: SweepChunks,
      useFactory: (database: Database, clock: Clock, logger: Logger) =>
        new SweepChunks(database, clock, logger, SWEEP_INTERVAL_MS),
      inject: [Database, Clock, LOGGER],
    },
    SweepAttributes,
    {
      provide: DeadLetters,
      useFactory: (connection: Connection) => new DeadLetters(connection, DEAD_LETTER_STREAM),
      inject: [Connection],
    },
    {
      provide: SweepDeadLetters,
      useFactory: (letters: DeadLetters, database: Database, clock: Clock, logger: Logger) =>
        new SweepDeadLetters(letters, chunkRetention(database), clock, logger),
      inject: [DeadLetters, Database, Clock, LOGGER],
    },
  ],
  exports: [DeadLetters],
})
export class IngestModule {}
