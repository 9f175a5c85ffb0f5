import { chunkStreams } from '@bearing/nats/chunk-partitions'
import { Connection } from '@bearing/nats/connection'
import { WorkQueue, type Done } from '@bearing/nats/work-queue'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { ConsumeMessages } from './consume-messages.js'

/** Interval between searches for new partitions, in milliseconds. Their messages wait for so long. */
const LOOK_MS = 2_000

/** Runs {@link ConsumeMessages} on every partition of the queue of chunks. Any number of processes may run it. */
@Injectable()
export class ChunkConsumer extends BackgroundJob {
  private readonly queues: WorkQueue[] = []
  private readonly cannotStore: (error: unknown) => void
  private readonly stored: (delayMs: number) => void

  constructor(
    private readonly connection: Connection,
    private readonly consume: ConsumeMessages,
    private readonly clock: Clock,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: LOOK_MS,
      run: () => this.look(),
      logger,
      failure: 'the partitions of the queue of chunks cannot be read; retrying',
    })
    this.stored = metrics.stored('chunks')
    metrics.totals('bearing_chunks_total', 'Stored chunks, and their bytes.', ['of'], consume.totals)
    this.cannotStore = warnSeldom(
      logger,
      'chunks of devices cannot be stored and stay in their queue; retrying every second',
    )
  }

  override async stop(): Promise<void> {
    await super.stop()
    await Promise.all(this.queues.map((queue) => queue.stop()))
  }

  private counting(done: Done): Done {
    return (messages) => {
      done(messages)
      const nowMs = this.clock.nowMs()
      for (const { receivedAt } of messages) this.stored(nowMs - receivedAt.getTime())
    }
  }

  private async look(): Promise<void> {
    // Its return is the next chance.
    if (!this.connection.isUp) return
    for (const stream of (await chunkStreams(this.connection)).slice(this.queues.length)) {
      const queue = new WorkQueue(
        this.connection,
        stream,
        'management',
        (batch, _postpone, done) => this.consume.execute(batch, this.counting(done)),
        this.cannotStore,
      )
      this.queues.push(queue)
      queue.start()
    }
  }
}
