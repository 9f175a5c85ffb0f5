import { z } from 'zod'

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
