import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Id } from '../../primitives.js'

/** The most addresses in one event. */
export const MAX_LEARNED = 5_000

/**
 * Much more is known of access points: sent when the observations of one have doubled. Caches drop them. The event is not stored; a
 * cache that misses it continues until its entries expire.
 */
export const accessPointsLearned = event({
  subject: 'location.v1.access-points.learned',
  data: z.object({
    organization_id: Id.nullable().describe('Whose layer. Never null: nothing is learned in the base layer.'),
    bssids: z.array(z.number()).max(MAX_LEARNED).describe('48 bits as integers.'),
  }),
})

/** The reference scans of a project have changed. Not stored either. */
export const referenceScansChanged = event({
  subject: 'location.v1.reference-scans.changed',
  data: z.object({ organization_id: Id, project_id: Id }),
})

export const relearnLayer = operation({
  subject: 'location.v1.layer.relearn',
  summary: 'Rebuild access points and radio cells from the stored observations',
  description:
    'Evidence from observations that are no longer stored is removed. If the rebuild fails, nothing changes.',
  input: z.object({ organization_id: Id }),
  output: z.object({
    observations: z.int().min(0).describe('Observations that the layer was rebuilt from.'),
    access_points: z.int().min(0).describe('Access points in the layer.'),
    cells: z.int().min(0).default(0).describe('Radio cells in the layer. Left out by older versions.'),
  }),
  errors: [],
  permission: 'layer:relearn',
  timeoutMs: 600_000,
})
