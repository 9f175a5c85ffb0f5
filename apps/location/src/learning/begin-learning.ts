import { OBSERVATION_STREAM } from '@bearing/contracts/streams'
import type { Connection } from '@bearing/nats/connection'
import type { MessageStore } from '@bearing/nats/message-store'
import { WorkQueue } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { ConsumeObservations } from './consume-observations.js'
import type { LearnObservations } from './learn-observations.js'
import type { Suspects } from './suspects.js'

/** How often it is said that nothing can be learned, in milliseconds. */
const WARN_EVERY_MS = 60_000

/** Begins to learn from what was contributed; as many processes may as there are. */
export function beginLearning(
  connection: Connection,
  learn: LearnObservations,
  store: MessageStore,
  suspects: Suspects,
  logger: Logger,
): WorkQueue {
  const consume = new ConsumeObservations(learn, store, suspects, logger)
  let warnedAtMs = -Infinity
  const queue = new WorkQueue(
    connection,
    OBSERVATION_STREAM,
    'location',
    (batch) => consume.execute(batch),
    (error) => {
      if (performance.now() - warnedAtMs < WARN_EVERY_MS) return
      warnedAtMs = performance.now()
      logger.warn(
        { err: error },
        'observations cannot be learned from and wait in their queue; trying again every second',
      )
    },
  )
  queue.start()
  return queue
}
