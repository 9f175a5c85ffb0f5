/**
 * The earliest of some moments.
 *
 * @param moments null is later than every moment: never
 */
export function earliest(...moments: readonly (Date | null)[]): Date | null {
  return moments.reduce(
    (soonest, moment) => (moment && (!soonest || moment < soonest) ? moment : soonest),
    null,
  )
}
