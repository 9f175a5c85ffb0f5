import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { HeardAccessPoints } from '../access-points/heard-access-point.js'
import { LeftOutParts } from '../access-points/left-out.js'
import { Fallback, LocationOptions, Stored } from './location-options.js'
import { AccessPointCounts } from '../../errors/error-details.js'
import { Height } from './height.js'
import { Position } from './location.js'
import { PreviousScans } from '../scans/previous-scans.js'
import { writeUsualLocation } from '../scans/usual-answer.js'
import { readUsualScan } from '../scans/usual-scan.js'

/** A Wi-Fi scan, and how its position is asked for. */
export const WifiScan = z.object({
  ...LocationOptions,
  accessPoints: HeardAccessPoints.nullish(),
  previousScans: PreviousScans,
})

/** The position of a scan. */
export const WifiLocation = z
  .object({
    ...Position,
    ...Height,
    fulfilledWith: z.enum(['WIFI']),
    accessPoints: AccessPointCounts,
    ...Fallback,
    ...Stored,
    ...LeftOutParts,
  })
  .meta({ id: 'WifiLocation' })

export const resolveWifiLocation = operation({
  subject: 'location.v1.wifi.resolve',
  summary: 'Turn a Wi-Fi scan into a position',
  description:
    'Access points that are sent twice count once, and so do the addresses of one radio; group and all-zero addresses are ignored, and so are those that cannot be read. At least two radios are needed, of which two are known and near each other; one of your own is enough. Returns 204 if `reply` is false.',
  input: z.object({ ...ProjectScope, ...WifiScan.shape }),
  output: WifiLocation.nullable(),
  errors: ['location_not_found', 'too_few_access_points', 'rate_limited'],
  permission: 'location:resolve',
  batched: true,
  readUsual: readUsualScan,
  writeUsual: writeUsualLocation,
  lenient: true,
})
