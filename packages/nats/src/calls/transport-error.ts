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

/**
 * Nobody is there to answer, or no way to them.
 *
 * @param cause for the log: it says who was missed
 */
export function unavailable(cause?: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'A part of the service cannot be reached at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}

/** Returns the error for a service that has not answered in time. */
export function tooLate(cause?: unknown): OperationError {
  return new OperationError(
    'deadline_exceeded',
    'The answer did not come in time. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}

/** Returns the cause of a call without an answer: no process of the service that answers this subject listens. */
export function nobodyAnswers(subject: string): Error {
  return new Error(`nobody answers ${subject}`)
}

/** Returns the cause of a call without an answer: the connection was lost while it was under way, or before. */
export function connectionLost(subject: string): Error {
  return new Error(`NATS was not connected for ${subject}`)
}

/** Returns the cause of a call without an answer: there are processes that listen, and none has answered. */
export function noAnswerInTime(subject: string): Error {
  return new Error(`no answer from ${subject} in time`)
}

/** Translates an error of the NATS client for the caller. */
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
