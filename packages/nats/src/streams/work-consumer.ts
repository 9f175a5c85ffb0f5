import { AckPolicy, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream'

/** Time for which a message that was handed out may stay unacknowledged before it is handed out again, in milliseconds. */
export const ACKNOWLEDGED_MS = 30_000
/** The most unacknowledged messages, of all processes of a service together. */
const MAX_UNDER_WAY = 10_000
/** JetStream's error code for a consumer that does not exist. */
const CONSUMER_NOT_FOUND = 10_014

/** A service, and a stream that it consumes. */
export interface Work {
  readonly worker: string
  readonly stream: string
}

/** Creates the consumer with which a service processes a queue. An existing one stays as it is. */
export async function makeWorkConsumer(manager: JetStreamManager, { worker, stream }: Work): Promise<void> {
  await manager.consumers.add(stream, {
    name: worker,
    durable_name: worker,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACKNOWLEDGED_MS * 1e6,
    max_ack_pending: MAX_UNDER_WAY,
  })
}

/** Deletes a consumer and creates it again. The messages in its queue are handed out once more, those under way included. */
export async function renewWorkConsumer(manager: JetStreamManager, work: Work): Promise<void> {
  try {
    await manager.consumers.delete(work.stream, work.worker)
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND)) throw error
  }
  await makeWorkConsumer(manager, work)
}
