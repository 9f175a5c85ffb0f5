import { estimate } from '@bearing/positioning/estimate/estimate'
import { learn } from './bearing.js'
import { quantile } from './flat.js'
import { isEligible } from './judge.js'
import type { ScanSet } from './scan-set.js'

/** Times of estimates of scans of one size, in milliseconds. */
export interface Latency {
  readonly size: number
  readonly estimates: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}

const SIZES = [20, 40, 60]
const WARM_UP = 300
const MEASURED = 2_000

/**
 * Measures estimates with everything: learned access points and the reference scans of a site. Larger scans are cut,
 * smaller ones are filled up from the next scans, because no set has 60 access points in one scan.
 */
export function measureLatency(set: ScanSet): Latency[] {
  const [fold] = set.folds
  if (!fold) return []
  const { known, references } = learn(fold.train)
  const scans = fold.test.filter(isEligible)
  return SIZES.map((size) => {
    const times: number[] = []
    for (let index = 0; index < WARM_UP + MEASURED; index++) {
      const scan = new Map<number, number>()
      for (let from = index; scan.size < size; from++)
        for (const { bssid, signalDbm } of scans[from % scans.length]?.accessPoints ?? [])
          if (scan.size < size && !scan.has(bssid)) scan.set(bssid, signalDbm)
      const heard = [...scan].map(([bssid, signalDbm]) => ({ bssid, signalDbm }))
      const start = performance.now()
      estimate(heard, known, { minRadios: 2, confidence: 68, references })
      if (index >= WARM_UP) times.push(performance.now() - start)
    }
    return {
      size,
      estimates: times.length,
      p50Ms: quantile(times, 0.5),
      p95Ms: quantile(times, 0.95),
      p99Ms: quantile(times, 0.99),
      longestMs: quantile(times, 1),
    }
  })
}
