import type { Event, EventData } from '@bearing/contracts/operation'
import { Clock } from '@bearing/service/clock'
import type { OutboxEvent } from '@bearing/service/outbox-relay'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'

/** An event that was recorded. */
export interface RecordedEvent<E extends Event> extends OutboxEvent {
  readonly data: EventData<E>
}

/** What an event carries besides its id, which is made when it is recorded. */
export type Told<E extends Event> = Omit<EventData<E>, 'id'>

/** Writes events in the transaction that causes them. The relay publishes them after the commit. */
@Injectable()
export class OutboxEvents {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async record<E extends Event>(
    transaction: Transaction,
    event: E,
    told: Told<E>,
  ): Promise<RecordedEvent<E>> {
    const recorded = this.make(event, told)
    await this.write(transaction, [recorded])
    return recorded
  }

  async recordAll<E extends Event>(
    transaction: Transaction,
    event: E,
    told: readonly Told<E>[],
  ): Promise<RecordedEvent<E>[]> {
    const recorded = told.map((one) => this.make(event, one))
    if (recorded.length > 0) await this.write(transaction, recorded)
    return recorded
  }

  private make<E extends Event>({ subject, data }: E, told: Told<E>): RecordedEvent<E> {
    const id = this.randomness.newId()
    return { id, subject, data: data.parse({ ...told, id }) as EventData<E> } // parsed with the schema of this very type
  }

  private async write(transaction: Transaction, events: readonly OutboxEvent[]): Promise<void> {
    const createdAt = this.clock.now()
    await transaction.outboxEvent.createMany({
      data: events.map(({ id, subject, data }) => ({
        id,
        subject,
        data: data as object, // every event carries an object
        createdAt,
      })),
    })
  }
}
