import { z } from 'zod'
import { DeviceSerial } from '../../management/devices/device.js'
import { operation } from '../../operation.js'
import { MAX_PER_PAGE, ProjectScope, Timestamp } from '../../primitives.js'
import { DevicePosition } from './device-position.js'

/** A box on the Earth, in degrees, WGS 84. West of `east` unless it crosses the antimeridian. */
export interface BoundingBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** A number in decimal notation. */
const DEGREES = /^[-+]?\d{1,3}(?:\.\d{1,20})?$/

function readBox(text: string): BoundingBox | undefined {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length !== 4 || !parts.every((part) => DEGREES.test(part))) return undefined
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number)
  const isOnEarth = [west, east].every((lon) => Math.abs(lon) <= 180) && south >= -90 && north <= 90
  return isOnEarth && south <= north ? { west, south, east, north } : undefined
}

/** `west,south,east,north`, as in RFC 7946 §5. */
export const BoundingBoxText = z
  .string()
  .max(128)
  .transform((text, context): BoundingBox => {
    const box = readBox(text)
    if (box) return box
    context.addIssue(
      'must be west,south,east,north in degrees, such as 11.4,48.1,11.7,48.2; west is more than east across the antimeridian',
    )
    return z.NEVER
  })
  .meta({ example: '11.4,48.1,11.7,48.2' })

/** The last position of a device. */
export const LatestPosition = DevicePosition.extend({ device_serial: DeviceSerial }).meta({
  id: 'LatestPosition',
})
export type LatestPosition = z.infer<typeof LatestPosition>

/** A page of last positions. */
export const LatestPositions = z
  .object({
    data: z.array(LatestPosition).describe('By serial number.'),
    next: z.string().nullable().describe('The `cursor` of the next page; null: this is the last one.'),
  })
  .meta({ id: 'LatestPositions' })

/** The same as GeoJSON (RFC 7946). */
export const LatestPositionFeatures = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z
      .array(
        z.object({
          type: z.literal('Feature'),
          id: DeviceSerial.describe('The serial number of the device.'),
          geometry: z
            .object({
              type: z.literal('Point'),
              coordinates: z
                .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
                .describe('Longitude and latitude.'),
            })
            .describe('The last position.'),
          properties: LatestPosition.omit({ lat: true, lon: true }).describe('The other fields.'),
        }),
      )
      .describe('One for each device, by serial number.'),
    next: z.string().nullable().describe('The `cursor` of the next page; null: this is the last one.'),
  })
  .meta({ id: 'LatestPositionFeatures' })

export const listLatestPositions = operation({
  subject: 'location.v1.device-position.latest',
  summary: 'List where all devices of a project were last',
  description:
    'The last stored position of each device, if it is in the box and not older than `since`, by serial number. `format=geojson` returns a FeatureCollection (RFC 7946, `application/geo+json`) with the same fields as properties.',
  input: z.object({
    ...ProjectScope,
    bbox: BoundingBoxText.optional().describe('Only positions in this box.'),
    since: Timestamp.optional().describe('Only positions that were asked for at this moment or later.'),
    per_page: z.int().min(1).max(MAX_PER_PAGE).default(1_000),
    cursor: DeviceSerial.optional().describe('The `next` of the previous page.'),
    format: z
      .enum(['json', 'geojson'])
      .default('json')
      .describe('`geojson`: a FeatureCollection (RFC 7946).'),
  }),
  output: z.union([LatestPositions, LatestPositionFeatures]),
  errors: [],
  permission: 'device-data:read',
  timeoutMs: 15_000,
})
