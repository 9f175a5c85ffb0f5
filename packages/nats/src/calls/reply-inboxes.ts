import { randomBytes } from 'node:crypto'
import type { Msg } from '@nats-io/transport-node'
import type { Connection } from '../connection.js'
import { replyPrefix } from '../permissions/inboxes.js'

/** A sender that waits for replies. */
export interface Awaiting {
  readonly received: (reply: Msg) => void
  /** NATS does not let us listen: nothing will be received. */
  readonly refused: (refusal: Error) => void
}

/** The inbox for the replies to one request. */
export interface ReplyInbox {
  readonly subject: string
  /** Ends the subscription. */
  close(): void
}

/** The inboxes that one service answers at. */
interface OfService {
  readonly prefix: string
  /** By the last token of the subject. */
  readonly awaiting: Map<string, Awaiting>
}

/**
 * The inboxes of a connection: one subscription for each service that is called. NATS lets only that service publish
 * there. JetStream and other services may be made to publish to any reply subject, so each inbox has 128 random bits of its
 * own: the ids of the library share a prefix within a process, and a service that is called could derive the other inboxes.
 */
export class ReplyInboxes {
  private readonly services = new Map<string, OfService>()
  private opened = 0

  constructor(private readonly connection: Connection) {}

  /**
   * Opens an inbox for a request.
   *
   * @param service that answers
   * @throws where the connection is closed
   */
  open(service: string, awaiting: Awaiting): ReplyInbox {
    const known = this.services.get(service) ?? this.listen(service)
    const token = (this.opened++).toString(36)
    known.awaiting.set(token, awaiting)
    return {
      subject: `${known.prefix}.${token}`,
      close: () => {
        known.awaiting.delete(token)
      },
    }
  }

  private listen(service: string): OfService {
    const made: OfService = {
      prefix: `${replyPrefix(this.connection.name, service)}.${randomBytes(16).toString('base64url')}`,
      awaiting: new Map(),
    }
    this.connection.raw.subscribe(`${made.prefix}.*`, {
      callback: (error, message) => {
        if (error) {
          // The next call tries again.
          this.services.delete(service)
          for (const { refused } of [...made.awaiting.values()]) refused(error)
        } else made.awaiting.get(message.subject.slice(made.prefix.length + 1))?.received(message)
      },
    })
    this.services.set(service, made)
    return made
  }
}

/** The service that a subject of its operations leads to: its first part. */
export function serviceOf(subject: string): string {
  const [service = ''] = subject.split('.', 1)
  return service
}
