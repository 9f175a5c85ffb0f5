import { z } from 'zod'
import { HeardAccessPoints } from './heard-access-point.js'

/** The most previous scans of one request. */
export const MAX_PREVIOUS_SCANS = 10
const HOUR_MS = 3_600_000

/** What the device reported before: it is recognized what it repeats from its cache, and it is followed. */
export const PreviousScans = z
  .array(
    z.object({
      age: z
        .number()
        .min(0)
        .max(HOUR_MS)
        .describe(
          'How long before this scan it was made, in milliseconds: 0 to 3,600,000. After two minutes it is not used.',
        ),
      accessPoints: HeardAccessPoints,
    }),
  )
  .max(MAX_PREVIOUS_SCANS)
  .nullish()
  .describe(
    'Earlier scans of the same device, at most 10. A signal that is the same to the decibel as in the last of them with this access point, and is repeated since at least 10 s, is from the cache of the device, and not used. The latest five of two minutes are located as well, and correct the position by how devices walk and drive.',
  )
export type PreviousScans = z.output<typeof PreviousScans>
