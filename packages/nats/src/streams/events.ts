import { randomUUID } from 'node:crypto'
import type { Event, EventData } from '@bearing/contracts/operation'
import { jetstream, type JetStreamClient } from '@nats-io/jetstream'
import { headers as natsHeaders, type MsgHdrs } from '@nats-io/transport-node'
import type { Connection } from '../connection.js'
import { EVENT_ID, isEvent } from '../permissions/genuine.js'
import { ResilientSubscription } from '../resilient-subscription.js'

/** How long JetStream may take to store an event, in milliseconds: less than a deadline. */
const TIMEOUT_MS = 750

/**
 * Publishes events to JetStream. The subject is an ordinary one: a core NATS subscriber receives the event immediately,
 * and a consumer of the stream receives it for certain.
 */
export class EventPublisher {
  private readonly client: JetStreamClient

  constructor(private readonly connection: Connection) {
    this.client = jetstream(connection.raw)
  }

  /**
   * Publishes one event and waits until it is stored. Publishing it again within two minutes changes nothing.
   *
   * @param subject the event's subject
   * @param id the event's id: the message id that duplicates are known by
   * @throws if JetStream has not stored it; core NATS subscribers have received it all the same, which
   *   revocations count on
   */
  async publish(subject: string, id: string, data: unknown): Promise<void> {
    const body = JSON.stringify(data)
    try {
      await this.client.publish(subject, body, { msgID: id, timeout: TIMEOUT_MS })
    } catch (error) {
      // Without JetStream at least current subscribers should receive it: revocations count on that.
      if (this.connection.isUp) this.connection.raw.publish(subject, body, { headers: headersOf(id) })
      throw error
    }
  }
}

/**
 * Publishes an event over core NATS, to current subscribers only: for events that may be missed.
 *
 * @throws where the connection is closed
 */
export function broadcastEvent<E extends Event>(connection: Connection, event: E, data: EventData<E>): void {
  connection.raw.publish(event.subject, JSON.stringify(data), { headers: headersOf(randomUUID()) })
}

function headersOf(id: string): MsgHdrs {
  const headers = natsHeaders()
  headers.set(EVENT_ID, id)
  return headers
}

/**
 * Subscribes to an event over core NATS, in every process. Events published while the connection is down, or while NATS
 * refuses the subscription, are missed. Ignores a message that the publisher of the event has not published.
 *
 * @param malformed called when something was published that is not this event, and when NATS refuses the subscription, which is
 *   tried again until it does
 * @param missed called when events are received again after some may have been missed
 */
export function onEvent<E extends Event>(
  connection: Connection,
  event: E,
  received: (data: EventData<E>) => void,
  malformed: (error: unknown) => void,
  missed?: () => void,
): void {
  new ResilientSubscription(connection, event.subject, {
    received: (message) => {
      try {
        if (!isEvent(message, event.subject)) return
        received(event.data.parse(message.json()) as EventData<E>) // parsed with the schema of this very type
      } catch (cause) {
        malformed(cause)
      }
    },
    refused: malformed,
    ...(missed && { restored: missed }),
  })
  if (missed) connection.reconnected(missed)
}
