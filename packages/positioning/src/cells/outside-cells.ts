import type { KnownCell } from './locate-cells.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'

/** A cell that was observed less often than this may be anywhere, as far as anyone knows. */
const LEAST_SAMPLES = 8
/**
 * Addition to the range that was observed: as if three observations lay 1 km away. Of a mean of cells the radius is computed with
 * 3 km, which few observations can say anything against; here a device has to be far outside for its cells to count more than its Wi-Fi.
 */
const PRIOR = { meters: 1_000, samples: 3 } as const
/** Of places of one device 99 % are not further apart than the root of this many variances on an axis: −2 ln 0.01. */
const MOST_APART = -2 * Math.log(0.01)

/**
 * Returns whether a device that receives some radio cells cannot be at a place: it is outside of the areas of all of them, and each is
 * well known.
 *
 * @param deviationMeters standard deviation of the place on an axis
 */
export function isOutsideCells(
  place: Coordinates,
  deviationMeters: number,
  cells: readonly KnownCell[],
): boolean {
  if (cells.length === 0) return false
  const at = toVector(place)
  return cells.every((cell) => {
    const { samples, rangeMeters } = cell
    if (samples < LEAST_SAMPLES || rangeMeters <= 0) return false
    const squaredRange =
      (samples * rangeMeters ** 2 + PRIOR.samples * PRIOR.meters ** 2) / (samples + PRIOR.samples)
    // Spread evenly over a disc, a device has a quarter of its squared radius as variance on an axis.
    return squaredDistance(at, toVector(cell)) > MOST_APART * (squaredRange / 4 + deviationMeters ** 2)
  })
}
