import { randomUUID } from 'node:crypto'
import type { Event, EventData } from '@bearing/contracts/operation'
import { headers as natsHeaders, type MsgHdrs } from '@nats-io/transport-node'
import type { Connection } from '../connection.js'
import { EVENT_ID, isEvent } from '../permissions/genuine.js'
import { ResilientSubscription } from '../resilient-subscription.js'

/**
 * Publishes an event over core NATS, to current subscribers only: for events that may be missed.
 *
 * @throws where the connection is closed
 */
export function broadcastEvent<E extends Event>(connection: Connection, event: E, data: EventData<E>): void {
  connection.raw.publish(event.subject, JSON.stringify(data), { headers: eventHeaders(randomUUID()) })
}

/** Returns the headers of an event. @param id the event's id */
export function eventHeaders(id: string): MsgHdrs {
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
