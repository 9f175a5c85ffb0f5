import { OBSERVATION_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { WorkQueue } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { ConsumeObservations } from './consume-observations.js'

/** Processes the queue of observations, in every process of the service. */
@Injectable()
export class ObservationQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: WorkQueue

  constructor(connection: Connection, consume: ConsumeObservations, @Inject(LOGGER) logger: Logger) {
    this.queue = new WorkQueue(
      connection,
      OBSERVATION_STREAM,
      'location',
      (batch, postpone) => consume.execute(batch, postpone),
      warnSeldom(logger, 'Observations cannot be learned and wait in their queue. Retrying every second.'),
    )
  }

  onApplicationBootstrap(): void {
    this.queue.start()
  }

  async onModuleDestroy(): Promise<void> {
    await this.queue.stop()
  }
}
