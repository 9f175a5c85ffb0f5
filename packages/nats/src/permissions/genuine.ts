import type { Msg } from '@nats-io/transport-node'
import { JETSTREAM, isReplyInbox } from './inboxes.js'

// NATS checks the subject that a user publishes to, never the reply subject that it names. JetStream, and every service
// that answers, then publishes to that reply subject with permissions of its own. So a message may arrive that its sender
// could not have published (docs/decisions/0020-give-each-service-its-own-nats-user.md).

/** Set by the publisher of an event or a stored message, with its id. Answers of JetStream have no headers, or {@link STORED_IN}. */
export const EVENT_ID = 'Nats-Msg-Id'
/** Set by JetStream on a message that it reads from a stream. */
const STORED_IN = 'Nats-Stream'

/**
 * Returns true if a message is a call that a user has published to the subject of an operation. A message that JetStream delivers
 * has another subject, the reply subject `$JS.ACK.…`, or none.
 *
 * @param subject the subject that the service subscribes to
 * @param service the service that would answer
 */
export function isCall(message: Msg, subject: string, service: string): boolean {
  return message.subject === subject && isReplyInbox(message.reply, service)
}

/**
 * Returns true if a message is an event that its publisher has published to the subject of the event.
 *
 * @param subject the subject that the listener subscribes to
 */
export function isEvent(message: Msg, subject: string): boolean {
  const { reply, headers } = message
  return (
    message.subject === subject &&
    (!reply || isReplyInbox(reply, JETSTREAM)) &&
    headers !== undefined &&
    headers.has(EVENT_ID) &&
    !headers.has(STORED_IN)
  )
}

/**
 * Returns whether the publisher of a stream stored a message in it. A stream also stores what JetStream sends to a reply
 * subject of the stream: with the subject that it had in another stream, with the header `Nats-Stream`, or without headers.
 *
 * @param subject what the subjects of the stream begin with
 */
export function isStoredByPublisher(
  message: { readonly subject: string; readonly header: (name: string) => string | undefined },
  subject: string,
): boolean {
  const { header } = message
  return (
    message.subject.startsWith(`${subject}.`) &&
    header(EVENT_ID) !== undefined &&
    header(STORED_IN) === undefined
  )
}
