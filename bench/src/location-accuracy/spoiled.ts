import type { Learned } from '@bearing/positioning/learning/evidence/learn-scans'
import { numbers } from '../numbers.js'

const METER_IN_DEGREES = 1 / 111_195
const FARTHEST_METERS = 2_000

/** Returns the learned model with a share of the access points moved by up to 2 km since. The reference scans still name them. */
export function moved({ known, references }: Learned, share: number): Learned {
  const next = numbers(7)
  const spoiled = new Map(
    [...known].map(([bssid, one]) => {
      if (next() >= share) return [bssid, one] as const
      const meters = FARTHEST_METERS * next()
      const bearing = 2 * Math.PI * next()
      const lat = one.lat + meters * Math.cos(bearing) * METER_IN_DEGREES
      const lon =
        one.lon + (meters * Math.sin(bearing) * METER_IN_DEGREES) / Math.cos((one.lat * Math.PI) / 180)
      return [bssid, { ...one, lat, lon }] as const
    }),
  )
  return { known: spoiled, references }
}
