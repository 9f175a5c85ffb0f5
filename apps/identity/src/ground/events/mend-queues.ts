import type { Connection } from '@bearing/nats/connection'
import { ConsumerRepair } from '@bearing/nats/consumer-repair'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'

const EVERY_MS = 2_000

/** Looks after the queues of all services every two seconds; as many processes may as there are. */
export function mendQueues(connection: Connection, logger: Logger): BackgroundJob {
  const mender = new ConsumerRepair(connection, (stream) => {
    logger.warn(
      { stream },
      'a queue had lost count of its messages, as it may when its NATS server is killed; it hands out anew what lies in it',
    )
  })
  return new BackgroundJob({
    intervalMs: EVERY_MS,
    run: () => mender.look(),
    logger,
    failure: 'queues cannot be looked after; trying again every few seconds',
  })
}
