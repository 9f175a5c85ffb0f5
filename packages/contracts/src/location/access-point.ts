import { z } from 'zod'
import { operation } from '../operation.js'
import { OrganizationScope, Timestamp } from '../primitives.js'

const Layer = z.object({
  /** How many access points have a position. */
  access_points: z.int().min(0),
  /** How many observations those positions come from; an access point of a plain list counts one. */
  observations: z.int().min(0),
  /** When the layer last changed; null where it is empty. */
  updated_at: Timestamp.nullable(),
})

export const showAccessPointStatistics = operation({
  subject: 'location.v1.access-point.statistics',
  summary: 'Count the access points that positions are found with',
  input: z.object(OrganizationScope),
  output: z
    .object({
      /** What the organization has imported itself; it wins over the shared layer. */
      organization: Layer,
      /** What the operator has imported for everybody. */
      shared: Layer,
    })
    .meta({ id: 'AccessPointStatistics' }),
  errors: [],
  permission: 'access-point:read',
  timeoutMs: 30_000,
})
