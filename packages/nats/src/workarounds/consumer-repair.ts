import { workStreams } from '@bearing/contracts/nats/streams'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'
import { workers } from '../permissions/permissions.js'
import { chunkStreams } from '../streams/chunk-partitions.js'
import { QueueWatch, type QueueState } from './queue-watch.js'
import { renewWorkConsumer, type Work } from '../streams/work-consumer.js'

const TIMEOUT_MS = 2_000

/**
 * Watches the consumers of all queues, for all services, and recreates a consumer that has lost count: so every message
 * in a queue is delivered in the end, whatever its server went through.
 *
 * Upstream: https://github.com/nats-io/nats-server/issues/4736 and 7680 there. Delete this, and `queue-watch.ts`, when NATS 2.14, which
 * can reset a consumer, is the oldest version that Bearing supports.
 */
export class ConsumerRepair {
  private readonly watches = new Map<string, QueueWatch>()

  /**
   * @param repaired called with the queue whose consumer was recreated
   * @param works consumers to watch (default: those of all queues)
   */
  constructor(
    private readonly connection: Connection,
    private readonly repaired: (stream: string) => void,
    private readonly works?: readonly Work[],
  ) {}

  /**
   * Looks at each of them once; to be called every few seconds.
   *
   * @throws where NATS, a stream or its consumer is not there
   */
  async look(): Promise<void> {
    // Its return is the next chance.
    if (!this.connection.isUp) return
    const manager = await jetstreamManager(this.connection.raw, { timeout: TIMEOUT_MS, checkAPI: false })
    const works = this.works ?? workers(workStreams((await chunkStreams(this.connection)).length))
    for (const work of works) {
      const watch = this.watches.get(work.stream) ?? new QueueWatch()
      this.watches.set(work.stream, watch)
      if (!watch.isHurt(await stateOf(manager, work), performance.now())) continue
      await renewWorkConsumer(manager, work)
      this.repaired(work.stream)
    }
  }
}

async function stateOf(manager: JetStreamManager, { stream, worker }: Work): Promise<QueueState> {
  const { state: before } = await manager.streams.info(stream)
  const consumer = await manager.consumers.info(stream, worker)
  const { state: after } = await manager.streams.info(stream)
  return {
    lying: [before.messages, after.messages],
    stored: before.last_seq,
    waiting: consumer.num_pending,
    handedOut: consumer.num_ack_pending,
    deliveries: consumer.delivered.consumer_seq,
    floor: consumer.ack_floor.stream_seq,
  }
}
