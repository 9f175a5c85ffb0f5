import { z } from 'zod'
import { operation } from '../../operation.js'
import { AfterNumber, DeadLetterFields, Replay, Replayed, deadLetterPage } from '../../nats/dead-letters.js'

/** Subject, before the address of its device, of a message with chunks that could not be stored. */
export const DEAD_LETTER_SUBJECT = 'management.v1.chunk.dead'

/** A message of a device that could not be stored. */
export const DeadLetter = z
  .object({ ...DeadLetterFields, device_serial: z.string().nullable() })
  .meta({ id: 'DeadLetter' })

export const listDeadLetters = operation({
  subject: 'management.v1.dead-letter.list',
  summary: 'List messages of devices that could not be stored, the oldest first',
  input: AfterNumber,
  output: deadLetterPage(DeadLetter),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 20_000,
})

export const replayDeadLetters = operation({
  subject: 'management.v1.dead-letter.replay',
  summary: 'Try again to store messages of devices, at their place among the others',
  input: Replay,
  output: Replayed,
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 60_000,
})
