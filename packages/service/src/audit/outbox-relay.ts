import type { EventPublisher } from '@bearing/nats/event-publisher'
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common'
import { BackgroundJob } from '../work/background-job.js'
import type { Logger } from '../observe/logger.js'

/** An event that was written in the transaction that caused it. */
export interface OutboxEvent {
  readonly id: string
  readonly subject: string
  readonly data: unknown
}

/** Hands out the oldest events, and removes those of them that were published. */
export type Publish = (events: readonly OutboxEvent[]) => Promise<Published>

/** The outcome of events that were handed out. */
export interface Published {
  readonly ids: readonly string[]
  /** The error that kept others from being published; undefined if all were. */
  readonly failure?: unknown
}

/** The table of events that are still to be published. */
export interface Outbox {
  /**
   * Hands out the oldest events and removes those that were published, unless another process is about to.
   *
   * @param limit most events that are handed out
   * @returns their number, and the failure if there was one; undefined where another process drains the table
   */
  drain(
    limit: number,
    publish: Publish,
  ): Promise<{ readonly events: number; readonly failure?: unknown } | undefined>
}

/** A table of events, in a transaction. */
export interface PendingEvents {
  /** The oldest ones. */
  pending(limit: number): Promise<readonly OutboxEvent[]>
  remove(ids: readonly string[]): Promise<void>
}

/** The part of a transaction of Prisma that is used. */
export interface LockingTransaction {
  $queryRawUnsafe<Rows>(statement: string, ...values: unknown[]): PromiseLike<Rows>
}

/** The part of Prisma's client that is used. */
export interface LockingDatabase<Transaction extends LockingTransaction> {
  $transaction<Result>(
    run: (transaction: Transaction) => Promise<Result>,
    options: { readonly timeout: number },
  ): Promise<Result>
}

/** After this time, in milliseconds, a transaction publishes no further events: each may take 2 s. */
const PUBLISH_MS = 1_500
/** Time limit of a transaction, in milliseconds: less than Postgres lets it be idle (`STATEMENT_MS`). */
const TRANSACTION_MS = 3_800

/**
 * A table of events that one process drains at a time. Several would publish the same backlog several times, and a repetition
 * after more than two minutes is a second event to JetStream. The lock ends with the transaction, so with the process too.
 */
export class LockedOutbox<Transaction extends LockingTransaction> implements Outbox {
  /**
   * @param name of the table: each has a lock of its own
   * @param open the table in a transaction
   */
  constructor(
    private readonly database: LockingDatabase<Transaction>,
    private readonly name: string,
    private readonly open: (transaction: Transaction) => PendingEvents,
  ) {}

  async drain(limit: number, publish: Publish): ReturnType<Outbox['drain']> {
    return await this.database.$transaction(
      async (transaction) => {
        const [lock] = await transaction.$queryRawUnsafe<{ taken: boolean }[]>(
          // Schemas share the locks of their database.
          `SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.' || $1, 0)) AS taken`,
          this.name,
        )
        if (lock?.taken !== true) return undefined
        const table = this.open(transaction)
        const events = await table.pending(limit)
        const { ids, failure } = await publish(events)
        if (ids.length > 0) await table.remove(ids)
        return { events: events.length, failure }
      },
      { timeout: TRANSACTION_MS },
    )
  }
}

/** A table of events in Prisma's client; every service that publishes has one. */
interface EventTable {
  findMany(query: {
    select: { id: true; subject: true; data: true }
    orderBy: { id: 'asc' }
    take: number
  }): PromiseLike<readonly OutboxEvent[]>
  deleteMany(query: { where: { id: { in: string[] } } }): PromiseLike<unknown>
}

/** The events of a service in its own table. */
export function outboxTable<Transaction extends LockingTransaction & { readonly outboxEvent: EventTable }>(
  database: LockingDatabase<Transaction>,
): Outbox {
  return new LockedOutbox(database, 'outbox', ({ outboxEvent }) => ({
    // Ids are in the order of time.
    pending: async (limit) =>
      outboxEvent.findMany({
        select: { id: true, subject: true, data: true },
        orderBy: { id: 'asc' },
        take: limit,
      }),
    remove: async (ids) => {
      await outboxEvent.deleteMany({ where: { id: { in: [...ids] } } })
    },
  }))
}

/** Interval at which the relay looks for events that were left behind, in milliseconds. */
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
    const publish: Publish = (events) => publishSome(events, this.publisher, PUBLISH_MS)
    for (;;) {
      const drained = await this.outbox.drain(BATCH, publish)
      if (drained?.failure !== undefined) throw drained.failure as Error // of the publisher, which throws nothing else
      if (!drained || drained.events < BATCH) return
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
  const { ids, failure } = await publishSome(events, publisher)
  if (ids.length > 0) await remove(ids)
  if (failure !== undefined) throw failure as Error // rejected by the publisher, which throws nothing else
}

/** Publishes events in their order, as many as the time allows. An event that fails delays no other. */
async function publishSome(
  events: readonly OutboxEvent[],
  publisher: Pick<EventPublisher, 'publish'>,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<Published> {
  const endMs = performance.now() + withinMs
  let failure: unknown
  const ids: string[] = []
  const publishOne = async ({ subject, id, data }: OutboxEvent) => {
    try {
      await publisher.publish(subject, id, data)
      ids.push(id)
    } catch (error) {
      failure ??= error
    }
  }
  for (let from = 0; from < events.length && performance.now() < endMs; from += CONCURRENT)
    await Promise.all(events.slice(from, from + CONCURRENT).map(publishOne))
  return { ids, failure }
}
