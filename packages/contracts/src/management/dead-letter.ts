import { z } from 'zod'
import { operation } from '../operation.js'
import { Id, Timestamp } from '../primitives.js'

/** Subject, before the address of its device, of a message with chunks that could not be stored. */
export const DEAD_LETTER_SUBJECT = 'management.v1.chunk.dead'

/** Headers that a dead letter has besides those it came with. */
export const DEAD_LETTER_HEADERS = {
  /** Why it could not be stored. */
  reason: 'Bearing-Dead-Reason',
  /** When the stream was made that it came through: milliseconds since 1970. */
  streamStarted: 'Bearing-Stream-Started',
  /** Its place in that stream. */
  sequence: 'Bearing-Sequence',
  /** When it was received: milliseconds since 1970. */
  receivedAt: 'Bearing-Received-At',
} as const

/** A message of a device that could not be stored. */
export const DeadLetter = z
  .object({
    /** Its number among dead letters, from 1. */
    number: z.int().min(1),
    organization_id: Id.nullable(),
    project_id: Id.nullable(),
    device_serial: z.string().nullable(),
    received_at: Timestamp.nullable(),
    /** Length of its body in bytes. */
    size: z.int().min(0),
    reason: z.string(),
  })
  .meta({ id: 'DeadLetter' })

/** How many dead letters one call lists or replays. */
export const MAX_DEAD_LETTERS = 100

export const listDeadLetters = operation({
  subject: 'management.v1.dead-letter.list',
  summary: 'List messages of devices that could not be stored, the oldest first',
  input: z.object({ after: z.int().min(0).default(0) }),
  output: z.object({
    data: z.array(DeadLetter),
    /** What to ask for next; null: these were the last. */
    next: z.int().nullable(),
  }),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 20_000,
})

export const replayDeadLetters = operation({
  subject: 'management.v1.dead-letter.replay',
  summary: 'Try again to store messages of devices, at their place among the others',
  input: z.object({ numbers: z.array(z.int().min(1)).min(1).max(MAX_DEAD_LETTERS) }),
  output: z.object({
    /** Stored, and no dead letters any more. */
    replayed: z.array(z.int()),
    failed: z.array(z.object({ number: z.int(), reason: z.string() })),
  }),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 60_000,
})
