import { z } from 'zod'
import { Id, Timestamp } from '../primitives.js'

/** The most dead letters that one call lists or replays. */
export const MAX_DEAD_LETTERS = 100
/** A list ends after so many bytes of messages: the service reads them all, and one can have some megabytes. */
export const MAX_DEAD_LETTER_BYTES = 8 * 1024 * 1024

/** Headers that a dead letter has besides those it came with. */
export const DEAD_LETTER_HEADERS = {
  /** The reason for the failure to process it. */
  reason: 'Bearing-Dead-Reason',
  /** Time of receipt: milliseconds since 1970. */
  receivedAt: 'Bearing-Received-At',
  /** Creation of the stream that chunks came through: milliseconds since 1970. */
  streamStarted: 'Bearing-Stream-Started',
  /** Their place in that stream. */
  sequence: 'Bearing-Sequence',
} as const

/** A message that no service could process. */
export const DeadLetterFields = {
  number: z.int().min(1).describe('Its number in the queue, from 1.'),
  organization_id: Id.nullable(),
  project_id: Id.nullable(),
  received_at: Timestamp.nullable(),
  size: z.int().min(0).describe('Length of its body in bytes.'),
  reason: z.string().describe('Why it could not be processed.'),
}

/** Requests the dead letters after a number. */
export const AfterNumber = z.object({ after: z.int().min(0).default(0) })

/** A part of a list of dead letters, the oldest first. */
export function deadLetterPage<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next: z.int().nullable().describe('The number to continue after; null at the end of the list.'),
  })
}

/** Requests to process dead letters again. */
export const Replay = z.object({ numbers: z.array(z.int().min(1)).min(1).max(MAX_DEAD_LETTERS) })

export const Replayed = z.object({
  replayed: z.array(z.int()).describe('Processed, and removed from the queue.'),
  failed: z.array(z.object({ number: z.int(), reason: z.string() })),
})
