import { z } from 'zod'
import { operation } from '../operation.js'
import { AfterNumber, DeadLetterFields, Replay, Replayed, deadLetterPage } from '../dead-letters.js'

/** Headers of observations that were put aside. */
export const REJECTED_HEADERS = {
  /** Why nothing could be learned from them. */
  reason: 'Bearing-Reason',
  /** When they were received: milliseconds since 1970. */
  receivedAt: 'Bearing-Received-At',
} as const

/** A submission of observations that nothing could be learned from. */
export const RejectedObservations = z.object(DeadLetterFields).meta({ id: 'RejectedObservations' })

export const listRejectedObservations = operation({
  subject: 'location.v1.rejected-observations.list',
  summary: 'List observations that nothing could be learned from, the oldest first',
  input: AfterNumber,
  output: deadLetterPage(RejectedObservations),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 20_000,
})

export const replayRejectedObservations = operation({
  subject: 'location.v1.rejected-observations.replay',
  summary: 'Try again to learn from observations that were put aside',
  input: Replay,
  output: Replayed,
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 60_000,
})
