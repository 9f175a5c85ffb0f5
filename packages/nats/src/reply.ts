import { OperationError } from '@bearing/contracts/errors'
import { fromFailure } from '@bearing/contracts/failure'
import { ERROR_HEADERS } from '@bearing/contracts/headers'
import type { Msg } from '@nats-io/transport-node'

/** The status of a reply that NATS itself gives where nobody listens. */
const NO_RESPONDERS = 503

/** Whether NATS says that nobody has received a request. */
export function isNoResponders(reply: Msg): boolean {
  return reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS
}

/**
 * What a reply says.
 *
 * @throws OperationError what the service answered instead
 */
export function read(reply: Msg): unknown {
  let body: unknown
  try {
    body = reply.json()
  } catch (cause) {
    throw new OperationError('internal', 'The service gave a reply that is not JSON.', {}, { cause })
  }
  if (reply.headers?.has(ERROR_HEADERS.code)) throw fromFailure(body)
  return body
}
