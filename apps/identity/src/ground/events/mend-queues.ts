import type { Connection } from '@bearing/nats/connection'
import { QueueMender } from '@bearing/nats/queue-mender'
import type { Logger } from '@bearing/service/logger'
import { Repeating } from '@bearing/service/repeating'
import { warnSeldom } from '@bearing/service/warn-seldom'

const EVERY_MS = 2_000

/** Looks after the queues of all services every two seconds; as many processes may as there are. */
export function mendQueues(connection: Connection, logger: Logger): Repeating {
  const mender = new QueueMender(connection, (stream) => {
    logger.warn(
      { stream },
      'a queue had lost count of its messages, as it may when its NATS server is killed; it hands out anew what lies in it',
    )
  })
  return new Repeating(
    EVERY_MS,
    () => mender.look(),
    warnSeldom(logger, 'queues cannot be looked after; trying again every few seconds'),
  )
}
