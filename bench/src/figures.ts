/** Median and 99th percentile. */
export function percentiles(valuesMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = Float64Array.from(valuesMs).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
