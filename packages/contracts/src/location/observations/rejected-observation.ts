import { z } from 'zod'
import { operation } from '../../operation.js'
import { AfterNumber, DeadLetterFields, Replay, Replayed, deadLetterPage } from '../../nats/dead-letters.js'

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
