import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationScope, Timestamp } from '../../primitives.js'

const Layer = z.object({
  access_points: z.int().min(0).describe('How many access points have a position.'),
  observations: z
    .int()
    .min(0)
    .describe('How many observations those positions come from; an access point of a plain list counts one.'),
  updated_at: Timestamp.nullable().describe('When the layer last changed; null where it is empty.'),
})

export const showAccessPointStatistics = operation({
  subject: 'location.v1.access-point.statistics',
  summary: 'Count the access points that positions are found with',
  input: z.object(OrganizationScope),
  output: z
    .object({
      organization: Layer.describe('What the organization has imported itself; it wins over the base layer.'),
      shared: Layer.describe('What the operator has imported for everybody.'),
    })
    .meta({ id: 'AccessPointStatistics' }),
  errors: [],
  permission: 'access-point:read',
  timeoutMs: 30_000,
})

/** Access points that an export reads per query: few enough that look-ups wait for a few milliseconds at most. */
export const EXPORTED_ACCESS_POINTS = 500

/** An access point, as its owner may see it. */
export const AccessPoint = z
  .object({
    macAddress: z.string().describe('Lower-case hexadecimal with colons.'),
    lat: z.number().min(-90).max(90).describe('Latitude in degrees, WGS 84.'),
    lon: z.number().min(-180).max(180).describe('Longitude in degrees, WGS 84.'),
    spread: z
      .number()
      .min(0)
      .describe('How far its observations lie from there, in meters (weighted root mean square).'),
    observations: z
      .int()
      .min(1)
      .describe(
        'How many observations that comes from; of what was learned rounded, since they count half after a year.',
      ),
    declared: z.boolean().describe('Whether a list said where it is.'),
    learned: z
      .boolean()
      .default(false)
      .describe(
        'Whether it was learned from observations; else it was imported. Left out by services from before that was exported.',
      ),
    updated_at: Timestamp,
  })
  .meta({ id: 'AccessPoint' })
export type AccessPoint = z.infer<typeof AccessPoint>

export const exportAccessPoints = operation({
  subject: 'location.v1.access-point.export',
  summary: "Export an organization's own access points",
  description:
    'All that the organization has imported, and all that was learned from what it contributed, in the order of their addresses; never those of the base layer, and never those of others. Each is there once: where it was imported and learned as that which look-ups go by, which is what was declared, else what more observations say. A connection that ends before the last chunk is an export that is not whole.',
  input: z.object({
    ...OrganizationScope,
    only: z
      .enum(['imported', 'learned'])
      .optional()
      .describe('All that was imported, or all that was learned, where look-ups go by the other as well.'),
    cursor: z
      .string()
      .max(64)
      .optional()
      .describe('The `next` of the previous reply; without it the export starts.'),
  }),
  output: z.object({ data: z.array(AccessPoint), next: z.string().nullable() }),
  errors: [],
  permission: 'access-point:export',
  timeoutMs: 15_000,
})
