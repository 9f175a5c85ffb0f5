import { z } from 'zod'
import { operation } from '../operation.js'
import { Id } from '../primitives.js'
import { CellIdentity } from './known-cell.js'
import { MacAddress } from './mac-address.js'

/** Whose access points these are: an organization's own, or null for the shared layer (operators only). */
const LayerScope = { organization_id: Id.nullable() }

/** The largest area that can be forgotten at once: its radius in meters. */
const MAX_FORGOTTEN_RADIUS = 100_000

/** The most areas that a layer can forget: every row of an import is compared with each. */
export const MAX_FORGOTTEN_AREAS = 1_000

const Forgotten = z
  .object({
    /** How many had a position, and have none any more: access points, or radio cells where those are forgotten. */
    removed: z.int().min(0),
  })
  .meta({ id: 'Forgotten' })

const FOR_GOOD =
  'For good: neither an import nor an observation brings it back, and it cannot be undone. It is gone from look-ups at once, and from what was contributed and stored soon after.'

export const forgetAccessPoint = operation({
  subject: 'location.v1.access-point.forget',
  summary: 'Forget an access point',
  description: `${FOR_GOOD} It need not be known.`,
  input: z.object({ ...LayerScope, macAddress: MacAddress }),
  output: Forgotten,
  errors: [],
  permission: 'access-point:forget',
})

export const forgetCell = operation({
  subject: 'location.v1.cell.forget',
  summary: 'Forget a radio cell',
  description: `${FOR_GOOD} It need not be known.`,
  input: z.object({ ...LayerScope, ...CellIdentity }),
  output: Forgotten,
  errors: [],
  permission: 'access-point:forget',
})

export const forgetArea = operation({
  subject: 'location.v1.area.forget',
  summary: 'Forget the access points of an area, and what was heard of radio cells there',
  description: `${FOR_GOOD} Of later imports and observations what lies in the area is left out.`,
  input: z.object({
    ...LayerScope,
    /** Latitude of the middle in degrees, WGS 84. */
    lat: z.number().min(-90).max(90),
    /** Longitude of the middle in degrees, WGS 84. */
    lon: z.number().min(-180).max(180),
    /** Meters. */
    radius: z.number().positive().max(MAX_FORGOTTEN_RADIUS),
  }),
  output: Forgotten,
  errors: ['too_many_areas'],
  permission: 'access-point:forget',
  timeoutMs: 30_000,
})
