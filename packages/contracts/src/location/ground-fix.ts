import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope } from '../primitives.js'
import { CellCounts, HeardCells } from './cell.js'
import { HeardAccessPoint, MAX_ACCESS_POINTS } from './heard-access-point.js'
import { Fallback, LocationOptions, Stored } from './location-options.js'
import { AccessPointCounts, Position } from './location.js'

const AccessPoints = z.array(HeardAccessPoint).max(MAX_ACCESS_POINTS)

export const resolveGroundFix = operation({
  subject: 'location.v1.ground-fix.resolve',
  summary: 'Turn a Wi-Fi scan and radio cells into a position',
  description:
    'By the Wi-Fi scan where that is enough, else by the cells; `fulfilledWith` says which. The scan is `accessPoints`, or `wifi`: a list, or an object with `accessPoints`. Answers 204 where `reply` is false.',
  input: z.object({
    ...ProjectScope,
    ...LocationOptions,
    ...HeardCells,
    accessPoints: AccessPoints.optional(),
    wifi: z.union([AccessPoints, z.object({ accessPoints: AccessPoints })]).optional(),
  }),
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
  errors: ['location_not_found', 'nothing_usable'],
  permission: 'location:resolve',
  batched: true,
})
