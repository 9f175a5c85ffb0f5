import { z } from 'zod'
import { operation } from '../operation.js'
import { OrganizationScope } from '../primitives.js'

/** What an organization decides about its locations. */
export const LocationSettings = z
  .object({
    share_observations: z
      .boolean()
      .describe(
        "Whether what is contributed from now on goes into the shared layer as well, which is everybody's.",
      ),
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
  description:
    'Observations that were shared before stay in the shared layer until the operator rebuilds it.',
  input: z.object({ ...OrganizationScope, ...LocationSettings.shape }),
  output: LocationSettings,
  errors: [],
  permission: 'location-settings:change',
})
