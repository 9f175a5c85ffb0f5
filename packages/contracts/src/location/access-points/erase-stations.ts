import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id } from '../../primitives.js'
import { CellIdentity } from '../cells/known-cell.js'
import { MacAddress } from './mac-address.js'

/** Owner of the access points: an organization, or null for the base layer (operators only). */
const LayerScope = { organization_id: Id.nullable() }

/** The largest radius of an area that can be erased, in meters. */
const MAX_ERASED_RADIUS = 100_000

/** The most erased areas of a layer: every row of an import is compared with each. */
export const MAX_ERASED_AREAS = 1_000

const Erased = z
  .object({
    removed: z.int().min(0).describe('How many stations lost their position.'),
  })
  .meta({ id: 'Forgotten' })

const PERMANENT =
  'Permanent: neither an import nor an observation brings it back, and it cannot be undone. Look-ups do not find it from now on; it is removed from contributed and stored data soon after.'

export const forgetAccessPoint = operation({
  subject: 'location.v1.access-point.forget',
  summary: 'Erase an access point',
  description: `${PERMANENT} It need not be known.`,
  input: z.object({ ...LayerScope, macAddress: MacAddress }),
  output: Erased,
  errors: [],
  permission: 'access-point:forget',
})

export const forgetCell = operation({
  subject: 'location.v1.cell.forget',
  summary: 'Erase a radio cell',
  description: `${PERMANENT} It need not be known.`,
  input: z.object({ ...LayerScope, ...CellIdentity }),
  output: Erased,
  errors: [],
  permission: 'access-point:forget',
})

export const forgetArea = operation({
  subject: 'location.v1.area.forget',
  summary: 'Erase the access points of an area, and what was observed of radio cells there',
  description: `${PERMANENT} Later imports and observations leave out what lies in the area.`,
  input: z.object({
    ...LayerScope,
    lat: z.number().min(-90).max(90).describe('Latitude of the center in degrees, WGS 84.'),
    lon: z.number().min(-180).max(180).describe('Longitude of the center in degrees, WGS 84.'),
    radius: z.number().positive().max(MAX_ERASED_RADIUS).describe('Meters.'),
  }),
  output: Erased,
  errors: ['too_many_areas'],
  permission: 'access-point:forget',
  timeoutMs: 30_000,
})
