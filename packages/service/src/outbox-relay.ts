import type { EventPublisher } from '@bearing/nats/events'
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common'
import { BackgroundJob } from './background-job.js'
import type { Logger } from './logger.js'

/** An event that was written in the transaction that caused it. */
export interface OutboxEvent {
  readonly id: string
  readonly subject: string
  readonly data: unknown
}

/** The table of events that are still to be published. */
export interface Outbox {
  /** The oldest ones. */
  pending(limit: number): Promise<readonly OutboxEvent[]>
  remove(ids: readonly string[]): Promise<void>
}

/** What Prisma makes of a table of events; every service that publishes has one. */
interface EventTable {
  findMany(query: {
    select: { id: true; subject: true; data: true }
    orderBy: { id: 'asc' }
    take: number
  }): PromiseLike<readonly OutboxEvent[]>
  deleteMany(query: { where: { id: { in: string[] } } }): PromiseLike<unknown>
}

/** Events in a service's own table. */
export class OutboxTable implements Outbox {
  constructor(private readonly table: EventTable) {}

  /** The oldest ones: ids are in the order of time. */
  async pending(limit: number): Promise<readonly OutboxEvent[]> {
    return this.table.findMany({
      select: { id: true, subject: true, data: true },
      orderBy: { id: 'asc' },
      take: limit,
    })
  }

  /** Removes events that were published. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.table.deleteMany({ where: { id: { in: [...ids] } } })
  }
}

/** How often the relay looks for events that were left behind, in milliseconds. */
const SWEEP_MS = 1_000
const BATCH = 100
/** Events that wait for JetStream's disk at the same time. */
const CONCURRENT = 16

/**
 * Publishes the events that a process committed and did not publish: JetStream was away, or the process ended in between.
 * Consumers and JetStream recognize duplicates by the event's id. As a provider it stops after jobs and consumers, and
 * before the database.
 */
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly job: BackgroundJob

  constructor(
    private readonly outbox: Outbox,
    private readonly publisher: Pick<EventPublisher, 'publish'>,
    logger: Logger,
  ) {
    this.job = new BackgroundJob({
      intervalMs: SWEEP_MS,
      run: () => this.publishPending(),
      logger,
      failure: 'events in the outbox cannot be published; trying again every second',
    })
  }

  /** Begins to sweep. */
  start(): void {
    this.job.start()
  }

  /** Stops sweeping, after what is under way. */
  stop(): Promise<void> {
    return this.job.stop()
  }

  onApplicationBootstrap(): void {
    this.start()
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop()
  }

  private async publishPending(): Promise<void> {
    for (;;) {
      const events = await this.outbox.pending(BATCH)
      if (events.length === 0) return
      await publishAll(events, this.publisher, (ids) => this.outbox.remove(ids))
    }
  }
}

/**
 * Publishes events in their order and removes those that JetStream has stored. An event that fails delays no other.
 *
 * @throws the first failure, after all were tried
 */
export async function publishAll(
  events: readonly OutboxEvent[],
  publisher: Pick<EventPublisher, 'publish'>,
  remove: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  let failure: unknown
  const published: string[] = []
  const publishOne = async ({ subject, id, data }: OutboxEvent) => {
    try {
      await publisher.publish(subject, id, data)
      published.push(id)
    } catch (error) {
      failure ??= error
    }
  }
  for (let from = 0; from < events.length; from += CONCURRENT)
    await Promise.all(events.slice(from, from + CONCURRENT).map(publishOne))
  if (published.length > 0) await remove(published)
  if (failure !== undefined) throw failure as Error // rejected by the publisher, which throws nothing else
}
