import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { CellCounts, HeardCells } from '../cells/cell.js'
import { HeardAccessPoints } from '../access-points/heard-access-point.js'
import { LeftOutParts } from '../access-points/left-out.js'
import { Fallback, LocationOptions, Stored } from './location-options.js'
import { AccessPointCounts } from '../../errors/error-details.js'
import { Height } from './height.js'
import { Position } from './location.js'
import { PreviousScans } from '../scans/previous-scans.js'

const WifiScan = z.union(
  [HeardAccessPoints, z.object({ accessPoints: HeardAccessPoints.nullable() })],
  'must be a list of access points, or an object with accessPoints',
)

/** A Wi-Fi scan and radio cells, as modems send them. */
export const HeardTogether = {
  ...HeardCells,
  accessPoints: HeardAccessPoints.nullish(),
  wifi: WifiScan.nullish(),
  previousScans: PreviousScans,
}

export const resolveGroundFix = operation({
  subject: 'location.v1.ground-fix.resolve',
  summary: 'Turn a Wi-Fi scan and radio cells into a position',
  description:
    'By the Wi-Fi scan where that is enough, else by the cells; `fulfilledWith` says which. The scan is `accessPoints`, or `wifi`: a list, or an object with `accessPoints`. Returns 204 if `reply` is false.',
  input: z.object({ ...ProjectScope, ...LocationOptions, ...HeardTogether }),
  output: z
    .object({
      ...Position,
      ...Height,
      fulfilledWith: z.enum(['WIFI', 'MCELL', 'SCELL']),
      accessPoints: AccessPointCounts,
      cells: CellCounts,
      ...Fallback,
      ...Stored,
      ...LeftOutParts,
    })
    .meta({ id: 'GroundFix' })
    .nullable(),
  errors: ['location_not_found', 'nothing_usable', 'rate_limited'],
  permission: 'location:resolve',
  batched: true,
  lenient: true,
})
