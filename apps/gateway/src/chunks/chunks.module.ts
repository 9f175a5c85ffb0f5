import { NatsClient } from '@bearing/nats/client'
import { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import type { Logger } from '@bearing/service/observe/logger'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { Metrics } from '@bearing/service/observe/metrics'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Module } from '@nestjs/common'
import { AuthenticateModule } from '../authenticate/authenticate.module.js'
import { ForwardModule } from '../forward/forward.module.js'
import { PassThroughModule } from '../pass-through/pass-through.module.js'
import { ChunkQueue } from './chunk-queue.js'
import { DataPolicies } from './policies/data-policies.js'
import { ReadChunkRoute } from './read-chunk-route.js'
import { SendChunksRoute } from './send-chunks-route.js'

/**
 * Receives chunks from devices: applies the data policy of the project (`policies/`), splits multipart bodies, and stores one
 * message per request in JetStream before it responds; messages of one project and turn of the event loop are stored as one.
 * Management consumes the messages; this wing never calls it for a chunk. May import `forward` and lower wings.
 */
@Module({
  imports: [AuthenticateModule, ForwardModule, PassThroughModule],
  controllers: [SendChunksRoute, ReadChunkRoute],
  providers: [
    {
      provide: MessageStore,
      useFactory: (connection: Connection) => new MessageStore(connection, true),
      inject: [Connection],
    },
    ChunkQueue,
    {
      provide: DataPolicies,
      useFactory: (connection: Connection, client: NatsClient, limits: RateLimits, logger: Logger) =>
        new DataPolicies(
          connection,
          client,
          limits,
          warnSeldom(logger, 'a data policy could not be read: its quotas are not counted'),
        ),
      inject: [Connection, NatsClient, RateLimits, LOGGER],
    },
  ],
})
export class ChunksModule {
  constructor(policies: DataPolicies, metrics: Metrics) {
    metrics.cache('data-policies', () => policies.figures.policies)
    metrics.cache('known-devices', () => policies.figures.devices)
  }
}
