import { z } from 'zod'
import { DeviceSerial } from '../management/device.js'

/** How a position is asked for, beside what was heard. */
export const LocationOptions = {
  /** How often the circle of the answer should hold the true position, in per cent: 50 to 99. */
  confidence: z.number().min(50).max(99).default(68),
  /** Whether the position is told. Without it the answer is 204, once it was determined. */
  reply: z.boolean().default(true),
  /** Serial number of the device. Where the project wants that, the position is stored for it before the answer. */
  device_id: DeviceSerial.nullish(),
}

/** What became of the access points of a scan. */
export const AccessPointCounts = z
  .object({
    /** As many as were sent. */
    received: z.int().min(0),
    /** Of them those that count: each address once, no group addresses, no old ones, nobody who opted out. */
    usable: z.int().min(0),
    /** Of them those that are known to be near the position. Only where there is one. */
    known: z.int().min(0).optional(),
    /** Of them those that the position was determined with. Only where there is one. */
    used: z.int().min(0).optional(),
  })
  .meta({ id: 'AccessPointCounts' })
export type AccessPointCounts = z.infer<typeof AccessPointCounts>

/** Whether the position is stored, for the device that the request has named. */
export const Stored = {
  /** Left out where the request has no `device_id`. `false`: the project does not store positions. */
  stored: z.boolean().optional(),
}

/** A position: where, how certain, and what it comes from. */
export const Position = {
  /** Latitude in degrees, WGS 84. */
  lat: z.number().min(-90).max(90),
  /** Longitude in degrees, WGS 84. */
  lon: z.number().min(-180).max(180),
  /** Radius in metres of the circle that holds the true position as often as `confidence` says: 68 % unless asked otherwise. */
  uncertainty: z.number().positive(),
}
