import { z } from 'zod'
import { event, operation } from '../operation.js'
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

export const relearnLayer = operation({
  subject: 'location.v1.layer.relearn',
  summary: 'Learn access points and radio cells anew from the observations that are stored',
  description:
    'What was learned from observations that are no longer stored goes, and from the shared layer what came from organizations that no longer share. Nothing changes where it fails or is given up.',
  input: z.object({
    /** Whose layer; null for the shared one. */
    organization_id: Id.nullable(),
  }),
  output: z.object({
    /** Observations that were learned from. */
    observations: z.int().min(0),
    /** Access points that are known from them. */
    access_points: z.int().min(0),
    /** Radio cells that are known from them. Left out by services from before they were learned. */
    cells: z.int().min(0).default(0),
  }),
  errors: [],
  permission: 'layer:relearn',
  timeoutMs: 600_000,
})
