import { CHUNK_STREAM } from '@bearing/contracts/streams'
import { Connection } from '@bearing/nats/connection'
import { WorkQueue } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { warnSeldom } from '@bearing/service/warn-seldom'
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { ConsumeMessages } from './consume-messages.js'

/** Runs {@link ConsumeMessages} on the queue of chunks. Any number of processes may run it. */
@Injectable()
export class ChunkConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: WorkQueue

  constructor(connection: Connection, consume: ConsumeMessages, @Inject(LOGGER) logger: Logger) {
    this.queue = new WorkQueue(
      connection,
      CHUNK_STREAM,
      'management',
      (batch, _postpone, done) => consume.execute(batch, done),
      warnSeldom(logger, 'chunks of devices cannot be stored and stay in their queue; retrying every second'),
    )
  }

  onApplicationBootstrap(): void {
    this.queue.start()
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop()
  }
}
