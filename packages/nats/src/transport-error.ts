import { OperationError } from '@bearing/contracts/errors'
import {
  ClosedConnectionError,
  ConnectionError,
  DrainingConnectionError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node'

/** Nobody is there to answer, or no way to them. */
export function unavailable(cause?: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'A part of the service cannot be reached at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}

/** Whoever was asked has not answered in time. */
export function tooLate(cause?: unknown): OperationError {
  return new OperationError(
    'deadline_exceeded',
    'The answer did not come in time. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}

/** What an error of the NATS client means to who called. */
export function transportError(error: unknown): OperationError {
  const cause = error instanceof RequestError ? (error.cause ?? error) : error
  if (cause instanceof TimeoutError) return tooLate(cause)
  if (
    cause instanceof NoRespondersError ||
    cause instanceof PermissionViolationError ||
    cause instanceof ClosedConnectionError ||
    cause instanceof DrainingConnectionError ||
    cause instanceof ConnectionError ||
    (error instanceof RequestError && error.isNoResponders())
  )
    return unavailable(cause)
  return new OperationError('internal', 'The request could not be sent.', {}, { cause })
}
