import { OperationError } from '@bearing/contracts/errors'
import { fromFailure } from '@bearing/contracts/errors/failure'
import { ERROR_HEADERS } from '@bearing/contracts/headers'
import type { Msg } from '@nats-io/transport-node'

/** The status of a reply that NATS itself gives where nobody listens. */
const NO_RESPONDERS = 503

/** Returns true if NATS reports that a request has no receiver. */
export function isNoResponders(reply: Msg): boolean {
  return reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS
}

/** Returns true if a service returned an error instead of the output. */
export function isFailure(reply: Msg): boolean {
  return reply.headers?.has(ERROR_HEADERS.code) ?? false
}

/**
 * Returns the output that a reply contains, as unread JSON.
 *
 * @throws OperationError the error that the service returned instead
 */
export function textOf(reply: Msg): string {
  const text = reply.string()
  if (isFailure(reply)) throw failureOf(text)
  return text
}

/** Returns the error that a failed reply contains, or one that says that it cannot be read. */
export function failureOf(text: string): OperationError {
  try {
    return fromFailure(readOutput(text))
  } catch (error) {
    return error as OperationError // it throws nothing else
  }
}

/**
 * Reads an output.
 *
 * @throws OperationError `internal` where it is not JSON
 */
export function readOutput(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** Returns the error for a reply of a service that cannot be read. */
export function unreadable(cause: unknown): OperationError {
  return new OperationError('internal', 'The service gave a reply that could not be read.', {}, { cause })
}
