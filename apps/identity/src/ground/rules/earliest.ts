/** Returns the earliest moment. Null means never. */
export function earliest(...moments: readonly (Date | null)[]): Date | null {
  return moments.reduce(
    (soonest, moment) => (moment && (!soonest || moment < soonest) ? moment : soonest),
    null,
  )
}
