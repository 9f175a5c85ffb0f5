import type { Event, EventData } from '@bearing/contracts/operation'
import type { EventPublisher } from '@bearing/nats/event-publisher'
import { pino } from 'pino'
import { auditRow, type Actor, type AuditRow, type AuditRecord } from '../audit/audit-row.js'
import { Clock } from '../ground/clock.js'
import type { Logger } from '../observe/logger.js'
import { insertAuditRows, insertEvents, removeEvents, type SqlClient } from '../audit/outbox-sql.js'
import { publishAll, type OutboxEvent } from '../audit/outbox-relay.js'
import { systemRandomness, type Randomness } from '../ground/randomness.js'

/** Records of a transaction, and work that it left for its end. */
interface Open {
  readonly owner: Transactions
  readonly events: OutboxEvent[]
  readonly auditRows: AuditRow[]
  readonly beforeCommit: { readonly lock: string; readonly work: () => Promise<void> }[]
  readonly afterCommit: (() => void | Promise<void>)[]
}

const transactions = new WeakMap<object, Open>()

function openOf(transaction: object): Open {
  const open = transactions.get(transaction)
  if (!open) throw new Error('this transaction was not begun by Transactions')
  return open
}

/**
 * Runs work when everything else in the transaction is done, for locks that many wait for. All transactions take these
 * locks in the same order, so they cannot deadlock, and hold them only for the commit.
 *
 * @param lock name of the lock that the work takes; works run in the order of these names
 */
export function beforeCommit(transaction: object, lock: string, work: () => Promise<void>): void {
  openOf(transaction).beforeCommit.push({ lock, work })
}

/** Runs work after the commit and before the transaction's caller continues; never after a rollback. Errors are logged. */
export function afterCommit(transaction: object, work: () => void | Promise<void>): void {
  openOf(transaction).afterCommit.push(work)
}

/**
 * Records an event in the transaction that causes it. It is stored at the end of the transaction and published after the
 * commit, before the transaction's caller continues. If that fails, the outbox relay publishes it.
 *
 * @param data of the event; its id is created here
 */
export function recordEvent<E extends Event>(
  transaction: object,
  { subject, data: schema }: E,
  data: Omit<EventData<E>, 'id'>,
): void {
  const { owner, events } = openOf(transaction)
  const id = owner.randomness.newId()
  events.push({ id, subject, data: schema.parse({ ...data, id }) })
}

/** Records in the audit log who does what, in the transaction that does it. @returns the id of the entry */
export function recordAudit(transaction: object, by: Actor, record: AuditRecord): string {
  const row = newAuditRow(transaction, by, record)
  openOf(transaction).auditRows.push(row)
  return row.id
}

/** Returns an audit entry for a service that stores it in its own way. */
export function newAuditRow(transaction: object, by: Actor, record: AuditRecord): AuditRow {
  const { clock, randomness } = openOf(transaction).owner
  return auditRow(by, record, clock, randomness)
}

/** Runs transactions that store audit entries and events at their end, and publish the events after the commit. */
export class Transactions {
  private readonly listeners = new Map<string, ((data: unknown) => void)[]>()

  constructor(
    readonly clock: Clock,
    readonly randomness: Randomness,
    private readonly publisher: Pick<EventPublisher, 'publish'>,
    private readonly logger: Logger,
  ) {}

  /** Transactions whose events are left to the relay of a running service: for tests and tools. */
  static unpublished(): Transactions {
    const publisher = { publish: () => Promise.reject(new Error('left to the relay')) }
    return new Transactions(new Clock(Date.now), systemRandomness(), publisher, pino({ level: 'silent' }))
  }

  /** Calls the listener in this process after each commit of the event, before it is published: for caches. */
  onCommitted<E extends Event>(event: E, listener: (data: EventData<E>) => void): void {
    const listeners = this.listeners.get(event.subject) ?? []
    this.listeners.set(event.subject, [...listeners, listener as (data: unknown) => void]) // events of this subject
  }

  /**
   * Runs a transaction.
   *
   * @param database a client outside of the transaction, to remove published events from the outbox
   * @param begin begins it, passes it on, and commits it when the promise it receives is fulfilled
   */
  async run<Transaction extends SqlClient, Result>(
    database: SqlClient,
    begin: (body: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
    run: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let open: Open | undefined
    const result = await begin(async (transaction) => {
      open = { owner: this, events: [], auditRows: [], beforeCommit: [], afterCommit: [] }
      transactions.set(transaction, open)
      try {
        const result = await run(transaction)
        await this.finish(transaction, open)
        return result
      } finally {
        transactions.delete(transaction)
      }
    })
    if (open) await this.committed(database, open)
    return result
  }

  /**
   * Runs a transaction on a connection of `pg` that nobody else uses meanwhile.
   *
   * @param begin the statement that begins it
   */
  runOn<Client extends PgClient, Result>(
    client: Client,
    run: (transaction: Client) => Promise<Result>,
    begin = 'BEGIN',
  ): Promise<Result> {
    const body = async (inTransaction: (transaction: Client) => Promise<Result>) => {
      await client.query(begin, [])
      try {
        const result = await inTransaction(client)
        await client.query('COMMIT', [])
        return result
      } catch (error) {
        // A connection that is lost has rolled back already.
        await client.query('ROLLBACK', []).catch(() => undefined)
        throw error
      }
    }
    return this.run<Client, Result>(client, body, run)
  }

  private async finish(transaction: SqlClient, open: Open): Promise<void> {
    await this.store(transaction, open)
    // Later records would be lost.
    transactions.delete(transaction)
    const works = [...open.beforeCommit]
    works.sort((a, b) => (a.lock < b.lock ? -1 : a.lock > b.lock ? 1 : 0))
    for (const { work } of works) await work()
  }

  private async store(transaction: SqlClient, { auditRows, events }: Open): Promise<void> {
    if (auditRows.length > 0) await insertAuditRows(transaction, auditRows)
    if (events.length > 0) await insertEvents(transaction, events, this.clock.now())
  }

  /** Never rejects: the transaction is committed. Events that cannot be published are left to the relay. */
  private async committed(database: SqlClient, { events, afterCommit }: Open): Promise<void> {
    for (const { subject, data } of events)
      for (const listener of this.listeners.get(subject) ?? [])
        await this.attempt(() => {
          listener(data)
        })
    if (events.length > 0)
      await this.attempt(() => publishAll(events, this.publisher, (ids) => removeEvents(database, ids)))
    for (const work of afterCommit) await this.attempt(work)
  }

  private async attempt(work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.logger.warn({ err: error }, 'work after a commit failed; the relay publishes events later')
    }
  }
}

/** The part of a connection of `pg` that is used. */
interface PgClient {
  query(statement: string, values: unknown[]): Promise<unknown>
}
