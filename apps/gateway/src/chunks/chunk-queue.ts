import { OperationError } from '@bearing/contracts/errors'
import { chunkStream, type WorkStream } from '@bearing/contracts/nats/streams'
import { chunkStreams } from '@bearing/nats/chunk-partitions'
import { Connection } from '@bearing/nats/connection'
import { MessageStore, type StoredMessage } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'

/** Interval between reads of the number of partitions, in milliseconds: gateways may differ this long after a change. */
const LOOK_MS = 2_000

/** Stores messages of devices in the partition of their project. Its number is read from NATS, so all gateways use the same. */
@Injectable()
export class ChunkQueue extends BackgroundJob {
  private streams: readonly WorkStream[] = []
  private readonly shares = new Map<WorkStream, QueueShares>()

  constructor(
    private readonly connection: Connection,
    private readonly store: MessageStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: LOOK_MS,
      run: () => this.look(),
      logger,
      failure: 'the partitions of the queue of chunks cannot be read; retrying',
    })
  }

  /**
   * Returns the partition of a project.
   *
   * @throws OperationError `service_unavailable` if NATS has not answered since the start of this process
   */
  async partitionOf(projectId: string): Promise<WorkStream> {
    if (this.streams.length === 0) {
      if (!this.connection.isUp) unavailable()
      await this.look().catch(unavailable)
    }
    return chunkStream(projectId, this.streams.length)
  }

  /**
   * Stores a message of an organization.
   *
   * @throws OperationError as {@link QueueShares.add}
   */
  async add(partition: WorkStream, organizationId: string, message: StoredMessage): Promise<void> {
    const shares = this.shares.get(partition) ?? new QueueShares(this.connection, this.store, partition)
    this.shares.set(partition, shares)
    await shares.add(organizationId, message)
  }

  private async look(): Promise<void> {
    // Its return is the next chance.
    if (this.connection.isUp) this.streams = await chunkStreams(this.connection)
  }
}

function unavailable(cause?: unknown): never {
  throw new OperationError(
    'service_unavailable',
    'It could not be stored at the moment. Send it again shortly.',
    { retry_after: 5 },
    { cause },
  )
}
