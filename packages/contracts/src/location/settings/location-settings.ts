import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationScope } from '../../primitives.js'

/** Decisions of an organization about its locations. */
export const LocationSettings = z
  .object({
    share_observations: z
      .boolean()
      .default(false)
      .describe('Deprecated and without effect: organizations share nothing. Always false.'),
    observation_retention_days: z
      .int()
      .min(0)
      .max(3_650)
      .describe(
        'Days for which contributed scans are kept, so that the model can be rebuilt from them. What was learned stays.',
      ),
  })
  .meta({ id: 'LocationSettings' })

export const showLocationSettings = operation({
  subject: 'location.v1.settings.show',
  summary: 'Show the location settings of an organization',
  input: z.object(OrganizationScope),
  output: LocationSettings,
  errors: [],
  permission: 'location-settings:read',
})

export const changeLocationSettings = operation({
  subject: 'location.v1.settings.change',
  summary: 'Change the location settings of an organization',
  input: z.object({ ...OrganizationScope, ...LocationSettings.shape }),
  output: LocationSettings,
  errors: [],
  permission: 'location-settings:change',
})
