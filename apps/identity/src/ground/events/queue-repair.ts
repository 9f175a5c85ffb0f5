import { Connection } from '@bearing/nats/connection'
import { ConsumerRepair } from '@bearing/nats/consumer-repair'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'

const INTERVAL_MS = 2_000

/** Repairs stuck consumers of the queues of all services. Several processes may do so at the same time. */
@Injectable()
export class QueueRepair extends BackgroundJob {
  constructor(connection: Connection, @Inject(LOGGER) logger: Logger) {
    const repair = new ConsumerRepair(connection, (stream) => {
      logger.warn({ stream }, 'A queue lost count of its messages and was repaired. It delivers them again.')
    })
    super({
      intervalMs: INTERVAL_MS,
      run: () => repair.look(),
      logger,
      failure: 'Queues could not be inspected. Retrying.',
    })
  }
}
