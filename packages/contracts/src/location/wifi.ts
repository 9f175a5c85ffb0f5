import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope } from '../primitives.js'
import { MacAddress } from './mac-address.js'

/** The most access points in one scan. Clients send 3 to 40; the strongest 8 to 10 carry nearly all of the accuracy. */
export const MAX_ACCESS_POINTS = 256

/** One access point as a device heard it. */
export const HeardAccessPoint = z
  .object({
    macAddress: MacAddress,
    /** Received signal strength in dBm; what is not in −128…0 counts as not given. */
    signalStrength: z
      .number()
      .optional()
      .transform((dbm) => (dbm !== undefined && dbm >= -128 && dbm < 0 ? dbm : undefined)),
  })
  .meta({ id: 'HeardAccessPoint' })

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
