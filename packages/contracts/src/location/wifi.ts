import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope } from '../primitives.js'
import { HeardAccessPoint, MAX_ACCESS_POINTS } from './heard-access-point.js'

export const resolveWifiLocation = operation({
  subject: 'location.v1.wifi.resolve',
  summary: 'Turn a Wi-Fi scan into a position',
  description:
    'Access points that are sent twice count once; group and all-zero addresses are ignored. At least two usable access points are needed.',
  input: z.object({
    ...ProjectScope,
    accessPoints: z.array(HeardAccessPoint).min(1).max(MAX_ACCESS_POINTS),
  }),
  output: z
    .object({
      /** Latitude in degrees, WGS 84. */
      lat: z.number().min(-90).max(90),
      /** Longitude in degrees, WGS 84. */
      lon: z.number().min(-180).max(180),
      /** Radius in metres of the circle that holds the true position with a probability of 68 %. */
      uncertainty: z.number().positive(),
      fulfilledWith: z.literal('WIFI'),
    })
    .meta({ id: 'WifiLocation' }),
  errors: ['location_not_found', 'too_few_access_points'],
  permission: 'location:resolve',
  batched: true,
})
