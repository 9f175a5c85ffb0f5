import type { Event, EventData } from '@bearing/contracts/operation'
import {
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { Connection } from './connection.js'

/** How long events are kept for consumers that were away, in nanoseconds: seven days. */
const KEPT_NS = 7 * 24 * 3600 * 1e9
/** Within this time a message id counts as the same event, in nanoseconds: two minutes. */
const DEDUPLICATED_NS = 120 * 1e9

/** How long JetStream may take for one step, in milliseconds. There are up to four: together less than a deadline. */
const TIMEOUT_MS = 750
/** JetStream's error code for a stream that does not exist. */
const STREAM_NOT_FOUND = 10_059

/**
 * Publishes events to JetStream. The subject is an ordinary one, so whoever subscribes to it over core NATS hears the
 * event at once, and whoever consumes the stream hears it for certain.
 */
export class EventPublisher {
  private client: JetStreamClient | undefined

  /**
   * @param stream name of the stream, upper case; made when it is first needed
   * @param events every event that is published here
   */
  constructor(
    private readonly connection: Connection,
    private readonly stream: string,
    private readonly events: readonly Event[],
  ) {}

  /**
   * Publishes one event and waits until it is stored. Publishing it again within two minutes changes nothing.
   *
   * @param subject the event's subject
   * @param id the event's id: the message id that duplicates are known by
   * @throws where JetStream has not stored it; whoever listens over core NATS may have heard it all the same
   */
  async publish(subject: string, id: string, data: unknown): Promise<void> {
    const body = JSON.stringify(data)
    try {
      this.client ??= await this.open()
      await this.client.publish(subject, body, { msgID: id, timeout: TIMEOUT_MS })
    } catch (error) {
      // The stream may have been lost with its server: look again next time.
      this.client = undefined
      // Without JetStream at least those who listen now should hear it: revocations count on that.
      if (this.connection.isUp) this.connection.raw.publish(subject, body)
      throw error
    }
  }

  private async open(): Promise<JetStreamClient> {
    const manager = await jetstreamManager(this.connection.raw, { timeout: TIMEOUT_MS, checkAPI: false })
    const subjects = this.events.map((event) => event.subject)
    const config = { max_age: KEPT_NS, duplicate_window: DEDUPLICATED_NS }
    const stream = await existing(manager, this.stream)
    if (!stream) await manager.streams.add({ ...config, name: this.stream, subjects })
    // A newer version may publish more: nothing is taken away from it.
    else if (subjects.some((subject) => !stream.config.subjects.includes(subject)))
      await manager.streams.update(this.stream, {
        ...config,
        subjects: [...new Set([...stream.config.subjects, ...subjects])],
      })
    return jetstream(this.connection.raw)
  }
}

async function existing(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined
    throw error
  }
}

/**
 * Hears an event over core NATS, in every process that subscribes. What is published while the connection is down is
 * missed: see {@link Connection.reconnected}.
 *
 * @param malformed told when something was published that is not this event
 */
export function onEvent<E extends Event>(
  connection: Connection,
  event: E,
  heard: (data: EventData<E>) => void,
  malformed: (error: unknown) => void,
): void {
  connection.raw.subscribe(event.subject, {
    callback: (error, message) => {
      if (error) {
        malformed(error)
        return
      }
      try {
        heard(event.data.parse(message.json()) as EventData<E>) // parsed with the schema of this very type
      } catch (cause) {
        malformed(cause)
      }
    },
  })
}
