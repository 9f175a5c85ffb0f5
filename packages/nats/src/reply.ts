import { OperationError } from '@bearing/contracts/errors'
import { fromFailure } from '@bearing/contracts/failure'
import { ERROR_HEADERS } from '@bearing/contracts/headers'
import type { Msg } from '@nats-io/transport-node'

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
