import { z } from 'zod'
import { HeardAccessPoints } from '../access-points/heard-access-point.js'
import { allGiven, LeftOut, optionalPart } from '../access-points/left-out.js'

/** The most previous scans of one request. */
export const MAX_PREVIOUS_SCANS = 10
const HOUR_MS = 3_600_000

const PreviousScan = z.object({
  age: z
    .number()
    .min(-HOUR_MS)
    .max(HOUR_MS)
    .transform(Math.abs)
    .describe(
      'How long before this scan it was made, in milliseconds: 0 to 3,600,000. After two minutes it is not used.',
    ),
  accessPoints: HeardAccessPoints,
})
export type PreviousScan = z.output<typeof PreviousScan>

/** Earlier scans of the device. They reveal signals that it repeats from its cache, and its movement. */
export const PreviousScans = optionalPart(z.array(optionalPart(PreviousScan)).transform(latestOf).nullish())
  .optional()
  .describe(
    'Earlier scans of the same device, of which the latest 10 are read. A signal that is the same to the decibel as in the last of them with this access point, and is repeated since at least 10 s, is from the cache of the device, and not used. The latest five of two minutes are located as well, and correct the position by how devices walk and drive.',
  )

/** Leaves out all but the latest scans. */
function latestOf(scans: readonly (PreviousScan | LeftOut)[]): (PreviousScan | LeftOut)[] {
  const latest = new Set(
    allGiven(scans)
      .sort((one, other) => one.age - other.age)
      .slice(0, MAX_PREVIOUS_SCANS),
  )
  return scans.map((scan) =>
    scan instanceof LeftOut || latest.has(scan)
      ? scan
      : new LeftOut([{ pointer: '', detail: `is not among the latest ${String(MAX_PREVIOUS_SCANS)} scans` }]),
  )
}
