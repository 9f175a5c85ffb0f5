import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'

/** Decisions of a project about the positions of its devices. */
export const PositionPolicy = z
  .object({
    store_positions: z
      .boolean()
      .describe('Whether a position that is asked for with `device_id` is stored for that device.'),
    retention_days: z.int().min(1).max(3_650).describe('Days for which a stored position is kept.'),
  })
  .meta({ id: 'PositionPolicy' })

/** Policy of a project that has set none: no position is stored. */
export const DEFAULT_POSITION_POLICY: z.output<typeof PositionPolicy> = {
  store_positions: false,
  retention_days: 30,
}

export const showPositionPolicy = operation({
  subject: 'location.v1.position-policy.show',
  summary: 'Show whether a project stores positions of devices, and for how long',
  input: z.object(ProjectScope),
  output: PositionPolicy,
  errors: [],
  permission: 'data-policy:read',
})

export const changePositionPolicy = operation({
  subject: 'location.v1.position-policy.change',
  summary: 'Change whether a project stores positions of devices, and for how long',
  description:
    'Takes effect with the next request. Stored positions stay until they expire, even if no more are stored. Delete them per device, or reduce the retention.',
  input: z.object({ ...ProjectScope, ...PositionPolicy.shape }),
  output: PositionPolicy,
  errors: [],
  permission: 'data-policy:change',
})
