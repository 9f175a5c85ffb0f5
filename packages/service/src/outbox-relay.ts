import type { EventPublisher } from '@bearing/nats/events'
import type { Logger } from './logger.js'
import { warnSeldom } from './warn-seldom.js'

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

  /** Forgets events that were published. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.table.deleteMany({ where: { id: { in: [...ids] } } })
  }
}

/** How often the table is looked through for what was left behind, in milliseconds. */
const SWEEP_MS = 1_000
const BATCH = 100
/** Events on their way at once: each waits for a disk, and one after the other they would be a few hundred a second. */
const AT_ONCE = 16

/**
 * Publishes events after the transaction that caused them was committed: at once when told to, and in any case by
 * looking through the table, so that a crash in between delays an event but never loses it. Consumers and JetStream know
 * duplicates by the event's id.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private readonly failed: (error: unknown) => void

  constructor(
    private readonly outbox: Outbox,
    private readonly publisher: Pick<EventPublisher, 'publish'>,
    private readonly logger: Logger,
  ) {
    this.failed = warnSeldom(
      logger,
      'events wait in the outbox and cannot be published; trying again every second',
    )
  }

  /** Begins to sweep. */
  start(): void {
    this.timer ??= setInterval(() => void this.sweep(), SWEEP_MS)
  }

  /** Publishes events that were just committed. Never rejects: what fails is left to the sweep. */
  async published(events: readonly OutboxEvent[]): Promise<void> {
    try {
      await this.publish(events)
    } catch (error) {
      this.logger.warn({ err: error }, 'events will be published later')
    }
  }

  /** Stops sweeping, after what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.running
  }

  private async sweep(): Promise<void> {
    if (this.running) return
    this.running = this.publishPending()
    await this.running
    this.running = undefined
  }

  private async publishPending(): Promise<void> {
    try {
      for (;;) {
        const events = await this.outbox.pending(BATCH)
        if (events.length === 0) return
        await this.publish(events)
      }
    } catch (error) {
      this.failed(error)
    }
  }

  /** One event that cannot be published does not hold up the others. They leave in their order. */
  private async publish(events: readonly OutboxEvent[]): Promise<void> {
    let failure: unknown
    const published: string[] = []
    const publishOne = async ({ subject, id, data }: OutboxEvent) => {
      try {
        await this.publisher.publish(subject, id, data)
        published.push(id)
      } catch (error) {
        failure ??= error
      }
    }
    for (let from = 0; from < events.length; from += AT_ONCE)
      await Promise.all(events.slice(from, from + AT_ONCE).map(publishOne))
    if (published.length > 0) await this.outbox.remove(published)
    if (failure !== undefined) throw failure as Error // rejected by the publisher, which throws nothing else
  }
}
