/** Buckets of a {@link Histogram}: three for each doubling, from 1 to 52,000 (meters or milliseconds). */
export const BUCKETS = 48
const PER_DOUBLING = 3

/** Number of values in each bucket. The last bucket has all larger values too. */
export type Histogram = readonly number[]

/** Returns the bucket of a value: the values above `2^((bucket - 1) / 3)`, up to `2^(bucket / 3)`. */
export function bucketOf(value: number): number {
  return value <= 1 ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log2(value) * PER_DOUBLING))
}

/** Returns the median, interpolated in its bucket: at most 12 % away. Null: there is no value. */
export function medianOf(counts: Histogram): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const [bucket, count] of counts.entries()) {
    if (below + count >= total / 2) return valueAt(bucket - 1 + (total / 2 - below) / count)
    below += count
  }
  return null
}

function valueAt(bucket: number): number {
  return 2 ** (Math.max(0, bucket) / PER_DOUBLING)
}

/** Returns the sum of histograms. */
export function sumOf(histograms: Iterable<Histogram>): number[] {
  const sums = Array.from({ length: BUCKETS }, () => 0)
  for (const histogram of histograms)
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      sums[bucket] = (sums[bucket] ?? 0) + (histogram[bucket] ?? 0)
  return sums
}
