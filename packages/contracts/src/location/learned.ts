import { z } from 'zod'
import { event } from '../operation.js'
import { Id } from '../primitives.js'

/** The most addresses in one event. */
export const MAX_LEARNED = 5_000

/**
 * Much more is known of access points than before: of each it is told again when its observations have doubled. Whoever
 * keeps them in memory forgets those. It is not stored: who misses it learns of the change when what it keeps expires.
 */
export const accessPointsLearned = event({
  subject: 'location.v1.access-points.learned',
  data: z.object({
    /** Whose layer; null for the shared one. */
    organization_id: Id.nullable(),
    /** 48 bits as integers. */
    bssids: z.array(z.number()).max(MAX_LEARNED),
  }),
})

/** The reference scans of a project are others. Not stored either. */
export const referenceScansChanged = event({
  subject: 'location.v1.reference-scans.changed',
  data: z.object({ organization_id: Id, project_id: Id }),
})
