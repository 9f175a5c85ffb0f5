import { CHUNK_STREAM } from '@bearing/contracts/streams'
import { NatsClient } from '@bearing/nats/client'
import { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import type { Logger } from '@bearing/service/logger'
import { RateLimits } from '@bearing/service/rate-limits'
import { LOGGER } from '@bearing/service/runtime-module'
import { warnSeldom } from '@bearing/service/warn-seldom'
import { Module } from '@nestjs/common'
import { AuthenticateWing } from '../authenticate/authenticate.module.js'
import { ForwardWing } from '../forward/forward.module.js'
import { DataPolicies } from './policies/data-policies.js'
import { ReadChunkRoute } from './read-chunk-route.js'
import { SendChunksRoute } from './send-chunks-route.js'

/**
 * Receives chunks from devices: applies the data policy of the project (`policies/`), splits multipart bodies, and stores one
 * message per request in JetStream before it responds. Management consumes the messages; this wing never calls it for a
 * chunk. May import `forward` and lower wings.
 */
@Module({
  imports: [AuthenticateWing, ForwardWing],
  controllers: [SendChunksRoute, ReadChunkRoute],
  providers: [
    {
      provide: MessageStore,
      useFactory: (connection: Connection) => new MessageStore(connection),
      inject: [Connection],
    },
    {
      provide: QueueShares,
      useFactory: (connection: Connection, store: MessageStore) =>
        new QueueShares(connection, store, CHUNK_STREAM),
      inject: [Connection, MessageStore],
    },
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
export class ChunksWing {}
