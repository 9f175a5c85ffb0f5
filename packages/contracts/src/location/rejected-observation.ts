import { z } from 'zod'
import { operation } from '../operation.js'
import { AfterNumber, DeadLetterFields, Replay, Replayed, deadLetterPage } from '../dead-letters.js'

/** Headers of dead letters. */
export const REJECTED_HEADERS = {
  /** Why they became a dead letter. */
  reason: 'Bearing-Reason',
  /** When they were received: milliseconds since 1970. */
  receivedAt: 'Bearing-Received-At',
} as const

/** A dead letter: observations that could not be learned. */
export const ObservationDeadLetter = z.object(DeadLetterFields).meta({ id: 'RejectedObservations' })

export const listRejectedObservations = operation({
  subject: 'location.v1.rejected-observations.list',
  summary: 'List observations in the dead-letter queue, the oldest first',
  input: AfterNumber,
  output: deadLetterPage(ObservationDeadLetter),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 20_000,
})

export const replayRejectedObservations = operation({
  subject: 'location.v1.rejected-observations.replay',
  summary: 'Replay observations from the dead-letter queue',
  input: Replay,
  output: Replayed,
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 60_000,
})
