import { z } from 'zod'

/** What became of the access points of a scan. */
export const AccessPointCounts = z
  .object({
    received: z.int().min(0).describe('As many as were sent.'),
    usable: z
      .int()
      .min(0)
      .describe(
        'Of them those that count: each address once, no group addresses, no old ones, nobody who opted out.',
      ),
    known: z
      .int()
      .min(0)
      .optional()
      .describe('Of them those that are known to be near the position. Only if there is one.'),
    used: z
      .int()
      .min(0)
      .optional()
      .describe('Of them those that the position was determined with. Only if there is one.'),
    unknown: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Of the usable ones those that are not known to be near the position. The more there are, the larger the radius. Only if there is a position.',
      ),
    ranged: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Of the known ones those whose measured `distance` counted. Only if there is a position, and the request has distances.',
      ),
  })
  .meta({ id: 'AccessPointCounts' })
export type AccessPointCounts = z.infer<typeof AccessPointCounts>

/** A position: where, how certain, and what it comes from. */
export const Position = {
  lat: z.number().min(-90).max(90).describe('Latitude in degrees, WGS 84.'),
  lon: z.number().min(-180).max(180).describe('Longitude in degrees, WGS 84.'),
  uncertainty: z
    .number()
    .positive()
    .describe(
      'Radius in meters of the circle that holds the true position as often as `confidence` says: 68 % unless asked otherwise.',
    ),
}
