import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { HeardCells, RadioType } from '../cells/cell.js'
import { Height } from './height.js'
import { HeardAccessPoints } from '../access-points/heard-access-point.js'

export const geolocate = operation({
  subject: 'location.v1.geolocation.resolve',
  summary: 'Turn a Wi-Fi scan and radio cells into a position, in the widespread geolocation shape',
  description:
    'For clients that were written for a public geolocation service. `?key=` is the key of a project that lets its key ask for locations; it may be sent in the project-key header as well. `accuracy` holds 95 % of the true positions. The body is JSON whatever its content type says, and may be gzipped. The address of the caller is never looked up: `considerIp` and `fallbacks` are ignored. Errors have the shape that those clients read: 400 `parseError` or `keyInvalid`, 403 `userRateLimitExceeded`, 404 `notFound`, 405 `httpMethodNotAllowed`.',
  input: z.object({
    ...ProjectScope,
    wifiAccessPoints: HeardAccessPoints.nullish(),
    cellTowers: HeardCells.cellTowers,
    radioType: RadioType.describe('Radio type of the cells that do not say their own.'),
  }),
  output: z
    .object({
      location: z
        .object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
        .describe('Degrees, WGS 84.'),
      accuracy: z
        .number()
        .positive()
        .describe('Radius in meters that holds the true position with a probability of 95 %.'),
      ...Height,
    })
    .meta({ id: 'Geolocation' }),
  errors: ['location_not_found', 'nothing_usable', 'rate_limited'],
  permission: 'location:resolve',
  batched: true,
  lenient: true,
})
