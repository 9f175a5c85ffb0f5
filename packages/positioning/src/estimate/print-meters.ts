/**
 * Distance of a reference scan from its likes, in meters: 4 where the scans are equal, 19 where they have nothing in common; times the
 * cube root of the breadth. In a dense survey it is less than 4, down to 1.2: {@link DENSITY}.
 */
const PRINT_METERS = { alike: 4, least: 1.2, unlike: 15 } as const
/**
 * A quarter of the distance of the 15th nearest place of the other matches to the likest one: about the spacing of a survey. Scans
 * that are closer than `same` meters were taken at one place.
 */
const DENSITY = { nth: 15, share: 0.25, same: 0.05 } as const
/**
 * Returns how far from each match the scan was taken, as a standard deviation on an axis, in meters: 1.2 to 19.
 *
 * @param near places of the matches on a plane, the likest first; at least one
 * @param similarity of the likest, 0 to 1
 */
export function printMeters(
  near: readonly { readonly x: number; readonly y: number }[],
  similarity: number,
): number {
  const { x, y } = near[0] ?? { x: 0, y: 0 }
  const distances = near
    .map((other) => Math.hypot(other.x - x, other.y - y))
    .filter((distance) => distance > DENSITY.same)
    .sort((one, other) => one - other)
  const nth = distances[Math.min(DENSITY.nth, distances.length) - 1] ?? Infinity
  const alike = Math.min(PRINT_METERS.alike, Math.max(PRINT_METERS.least, DENSITY.share * nth))
  return alike + PRINT_METERS.unlike * (1 - similarity)
}
