/** Returns a quantile of sorted errors, in meters; null if there are none. */
export function errorAt(errors: Float64Array, share: number): number | null {
  return errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? null
}
