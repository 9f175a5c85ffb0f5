import { OBSERVATION_STREAM } from '@bearing/contracts/streams'
import type { Connection } from '@bearing/nats/connection'
import type { MessageStore } from '@bearing/nats/message-store'
import { WorkQueue } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { warnSeldom } from '@bearing/service/warn-seldom'
import { ConsumeObservations } from './consume-observations.js'
import type { LearnObservations } from './learn-observations.js'
import type { Suspects } from './crash-counts.js'

/** Begins to learn from what was contributed; as many processes may as there are. */
export function beginLearning(
  connection: Connection,
  learn: LearnObservations,
  store: MessageStore,
  suspects: Suspects,
  logger: Logger,
): WorkQueue {
  const consume = new ConsumeObservations(learn, store, suspects, logger)
  const queue = new WorkQueue(
    connection,
    OBSERVATION_STREAM,
    'location',
    (batch, postpone) => consume.execute(batch, postpone),
    warnSeldom(
      logger,
      'observations cannot be learned from and wait in their queue; trying again every second',
    ),
  )
  queue.start()
  return queue
}
