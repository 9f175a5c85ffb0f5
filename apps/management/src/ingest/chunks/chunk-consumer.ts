import { CHUNK_STREAM } from '@bearing/contracts/streams'
import type { Connection } from '@bearing/nats/connection'
import { WorkQueue } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { warnSeldom } from '@bearing/service/warn-seldom'
import type { Database } from '../../ground/database.js'
import { BuryMessage } from '../dead-letters/store-dead-letter.js'
import { ConsumeMessages } from './consume-messages.js'
import type { StoreMessages } from './store-messages.js'

/** Begins to store what devices have sent; as many processes may as there are. */
export function beginConsuming(
  connection: Connection,
  database: Database,
  store: StoreMessages,
  logger: Logger,
): WorkQueue {
  const burial = new BuryMessage(database, connection, logger)
  const consume = new ConsumeMessages(store, burial)
  const queue = new WorkQueue(
    connection,
    CHUNK_STREAM,
    'management',
    (batch, _postpone, done) => consume.execute(batch, done),
    warnSeldom(
      logger,
      'what devices have sent cannot be stored and waits in its queue; trying again every second',
    ),
  )
  queue.start()
  return queue
}
