import { z } from 'zod'
import { Id, Timestamp } from './primitives.js'

/** Messages that were put aside, as no service could work them off: how many one call lists or replays. */
export const MAX_PUT_ASIDE = 100
/** After how many bytes of them a list ends: whoever lists them reads them all, and a message may have some megabytes. */
export const MAX_PUT_ASIDE_BYTES = 8 * 1024 * 1024

/** What is told of such a message. */
export const PutAside = {
  /** Its number among its like, from 1. */
  number: z.int().min(1),
  organization_id: Id.nullable(),
  project_id: Id.nullable(),
  received_at: Timestamp.nullable(),
  /** Length of its body in bytes. */
  size: z.int().min(0),
  /** Why it was put aside. */
  reason: z.string(),
}

/** Asks for those after a number. */
export const AfterNumber = z.object({ after: z.int().min(0).default(0) })

/** Some of them, the oldest first. */
export function putAsidePage<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    /** What to ask for next; null: these were the last. */
    next: z.int().nullable(),
  })
}

/** Asks to try some of them again. */
export const Replay = z.object({ numbers: z.array(z.int().min(1)).min(1).max(MAX_PUT_ASIDE) })

/** What became of that. */
export const Replayed = z.object({
  /** Worked off, and put aside no longer. */
  replayed: z.array(z.int()),
  failed: z.array(z.object({ number: z.int(), reason: z.string() })),
})
