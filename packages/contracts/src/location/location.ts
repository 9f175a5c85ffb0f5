import { z } from 'zod'

/** What became of the access points of a scan. */
export const AccessPointCounts = z
  .object({
    /** As many as were sent. */
    received: z.int().min(0),
    /** Of them those that count: each address once, no group addresses, no old ones, nobody who opted out. */
    usable: z.int().min(0),
    /** Of them those that are known to be near the position. Only if there is one. */
    known: z.int().min(0).optional(),
    /** Of them those that the position was determined with. Only if there is one. */
    used: z.int().min(0).optional(),
  })
  .meta({ id: 'AccessPointCounts' })
export type AccessPointCounts = z.infer<typeof AccessPointCounts>

/** A position: where, how certain, and what it comes from. */
export const Position = {
  /** Latitude in degrees, WGS 84. */
  lat: z.number().min(-90).max(90),
  /** Longitude in degrees, WGS 84. */
  lon: z.number().min(-180).max(180),
  /** Radius in meters of the circle that holds the true position as often as `confidence` says: 68 % unless asked otherwise. */
  uncertainty: z.number().positive(),
}
