import { squaredDistance, type Vector } from './sphere.js'

/** Something at a place. */
export interface Placed {
  readonly place: Vector
}

/**
 * Returns the largest group of places that all lie within a radius of one of them: what agrees, without what has moved away. A
 * device receives signals from some hundred meters at most, so its access points lie within one neighborhood.
 *
 * Of groups of the same size the tighter one is taken, that is the one with the smaller sum of squared distances.
 *
 * @param radiusMeters more than 0
 * @returns the members, in the order in which they came
 */
export function densestNeighborhood<Item extends Placed>(
  items: readonly Item[],
  radiusMeters: number,
): readonly Item[] {
  const limit = radiusMeters ** 2
  let center: Item | undefined
  let most = 0
  let least = Infinity
  for (const candidate of items) {
    let members = 0
    let sum = 0
    for (const item of items) {
      const squared = squaredDistance(candidate.place, item.place)
      if (squared > limit) continue
      members++
      sum += squared
    }
    if (members === items.length) return items
    if (members < most || (members === most && sum >= least)) continue
    center = candidate
    most = members
    least = sum
  }
  if (!center) return items
  const { place } = center
  return items.filter((item) => squaredDistance(place, item.place) <= limit)
}
