import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope } from '../primitives.js'
import { CellCounts, HeardCells } from './cell.js'
import { HeardAccessPoints, MAX_ACCESS_POINTS } from './heard-access-point.js'
import { Fallback, LocationOptions, Stored } from './location-options.js'
import { AccessPointCounts, Position } from './location.js'
import { PreviousScans } from './previous-scans.js'

const WifiScan = z.union(
  [HeardAccessPoints, z.object({ accessPoints: HeardAccessPoints.nullable() })],
  'must be a list of access points, or an object with accessPoints',
)

/** Returns how many access points a list has, or an object with one. */
function countOf(wifi: z.output<typeof WifiScan>): number {
  return (Array.isArray(wifi) ? wifi : wifi.accessPoints)?.length ?? 0
}

/** A Wi-Fi scan and radio cells, as modems send them. */
export const HeardTogether = {
  ...HeardCells,
  accessPoints: HeardAccessPoints.nullish(),
  wifi: WifiScan.nullish(),
  previousScans: PreviousScans,
}

type Together = Pick<z.output<z.ZodObject<typeof HeardTogether>>, 'accessPoints' | 'wifi'>

/** Both lists of access points together have at most as many as one. */
export function hasFewEnough({ accessPoints, wifi }: Together): boolean {
  return (accessPoints?.length ?? 0) + (wifi ? countOf(wifi) : 0) <= MAX_ACCESS_POINTS
}

export const TOO_MANY_TOGETHER = {
  path: ['wifi'],
  message: `must have at most ${String(MAX_ACCESS_POINTS)} access points, those of accessPoints included`,
}

export const resolveGroundFix = operation({
  subject: 'location.v1.ground-fix.resolve',
  summary: 'Turn a Wi-Fi scan and radio cells into a position',
  description:
    'By the Wi-Fi scan where that is enough, else by the cells; `fulfilledWith` says which. The scan is `accessPoints`, or `wifi`: a list, or an object with `accessPoints`. Returns 204 if `reply` is false.',
  input: z
    .object({ ...ProjectScope, ...LocationOptions, ...HeardTogether })
    .refine(hasFewEnough, TOO_MANY_TOGETHER),
  output: z
    .object({
      ...Position,
      fulfilledWith: z.enum(['WIFI', 'MCELL', 'SCELL']),
      accessPoints: AccessPointCounts,
      cells: CellCounts,
      ...Fallback,
      ...Stored,
    })
    .meta({ id: 'GroundFix' })
    .nullable(),
  errors: ['location_not_found', 'nothing_usable', 'rate_limited'],
  permission: 'location:resolve',
  batched: true,
})
