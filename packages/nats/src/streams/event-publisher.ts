import { jetstream, type JetStreamClient } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'
import { eventHeaders } from './events.js'

/** Time limit for JetStream to store an event, in milliseconds: less than a deadline. */
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
      if (this.connection.isUp) this.connection.raw.publish(subject, body, { headers: eventHeaders(id) })
      throw error
    }
  }
}
