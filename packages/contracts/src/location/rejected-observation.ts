import { z } from 'zod'
import { MAX_DEAD_LETTERS } from '../management/dead-letter.js'
import { operation } from '../operation.js'
import { Id, Timestamp } from '../primitives.js'

/** Headers of observations that were put aside. */
export const REJECTED_HEADERS = {
  /** Why nothing could be learned from them. */
  reason: 'Bearing-Reason',
  /** When they were received: milliseconds since 1970. */
  receivedAt: 'Bearing-Received-At',
} as const

/** A submission of observations that nothing could be learned from. */
export const RejectedObservations = z
  .object({
    /** Its number among those, from 1. */
    number: z.int().min(1),
    organization_id: Id.nullable(),
    project_id: Id.nullable(),
    received_at: Timestamp.nullable(),
    /** Length of its body in bytes. */
    size: z.int().min(0),
    reason: z.string(),
  })
  .meta({ id: 'RejectedObservations' })

export const listRejectedObservations = operation({
  subject: 'location.v1.rejected-observations.list',
  summary: 'List observations that nothing could be learned from, the oldest first',
  input: z.object({ after: z.int().min(0).default(0) }),
  output: z.object({
    data: z.array(RejectedObservations),
    /** What to ask for next; null: these were the last. */
    next: z.int().nullable(),
  }),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 20_000,
})

export const replayRejectedObservations = operation({
  subject: 'location.v1.rejected-observations.replay',
  summary: 'Try again to learn from observations that were put aside',
  input: z.object({ numbers: z.array(z.int().min(1)).min(1).max(MAX_DEAD_LETTERS) }),
  output: z.object({
    /** Learned from, and put aside no longer. */
    replayed: z.array(z.int()),
    failed: z.array(z.object({ number: z.int(), reason: z.string() })),
  }),
  errors: [],
  permission: 'dead-letter:manage',
  timeoutMs: 60_000,
})
