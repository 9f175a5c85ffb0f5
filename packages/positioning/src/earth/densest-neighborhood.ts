import { squaredDistance, type Vector } from './sphere.js'

/** Something at a place. */
export interface Placed {
  readonly place: Vector
}

/** Places as numbers: of each x, y and z in meters, side by side. */
export interface PlaceNumbers {
  readonly numbers: Float64Array
  /** Index of x of the first one. */
  readonly first: number
  /** From x of one to that of the next. */
  readonly step: number
  readonly count: number
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
  const numbers = new Float64Array(3 * items.length)
  for (const [index, { place }] of items.entries()) numbers.set([place.x, place.y, place.z], 3 * index)
  const center = centerOfDensest({ numbers, first: 0, step: 3, count: items.length }, radiusMeters)
  const middle = center === undefined ? undefined : items[center]
  if (!middle) return items
  return items.filter(({ place }) => squaredDistance(middle.place, place) <= radiusMeters ** 2)
}

/**
 * Returns around which place that group is.
 *
 * @param radiusMeters more than 0
 * @returns undefined if all are in it
 */
export function centerOfDensest(
  { numbers, first, step, count }: PlaceNumbers,
  radiusMeters: number,
): number | undefined {
  const limit = radiusMeters ** 2
  const end = first + count * step
  let center: number | undefined
  let most = 0
  let least = Infinity
  for (let one = first; one < end; one += step) {
    const x = numbers[one] ?? 0
    const y = numbers[one + 1] ?? 0
    const z = numbers[one + 2] ?? 0
    let members = 0
    let sum = 0
    for (let other = first; other < end; other += step) {
      const byX = x - (numbers[other] ?? 0)
      const byY = y - (numbers[other + 1] ?? 0)
      const byZ = z - (numbers[other + 2] ?? 0)
      const squared = byX * byX + byY * byY + byZ * byZ
      if (squared > limit) continue
      members++
      sum += squared
    }
    if (members === count) return undefined
    if (members < most || (members === most && sum >= least)) continue
    center = (one - first) / step
    most = members
    least = sum
  }
  return center
}
