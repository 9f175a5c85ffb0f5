import { distanceMeters, FlatMap, quantile } from './flat.js'
import type { ScanSet, TrueScan } from './scan-set.js'

/** What scans of a set are like, to compare made-up ones with real ones. Shares are 0 to 1. */
export interface SetStatistics {
  /**
   * Of what was received again after more than 15 m within two minutes, how much had the same signal, to the decibel: that share of
   * all such readings, and what that is of all readings. Undefined if no scans follow each other.
   */
  readonly stale: { readonly ofRepeated: number; readonly ofAll: number } | undefined
  /** Access points in a scan: tenth, half and nine tenths of the scans have at most as many. */
  readonly inScan: { readonly p10: number; readonly p50: number; readonly p90: number }
  /** Root mean square of how far from their mean an access point is received, in meters: that of half and of nine tenths of them. */
  readonly spreadMeters: { readonly p50: number; readonly p90: number }
  /** Of the readings that are asked with, those of access points that nobody has surveyed. */
  readonly unknown: number
}

const REPEATED = { seconds: 120, meters: 15 } as const
/** Access points that were received less often say nothing about their spread. */
const LEAST_RECEIVED = 5

/** Returns what the scans of the first fold of a set are like. */
export function statisticsOf({ folds: [fold] }: ScanSet): SetStatistics {
  const { train, test } = fold ?? { train: [], test: [] }
  const scans = [...train, ...test]
  const sizes = scans.map(({ accessPoints }) => accessPoints.length)
  const spreads = spreadsOf(train)
  const surveyed = new Set(train.flatMap(({ accessPoints }) => accessPoints.map(({ bssid }) => bssid)))
  const asked = test.flatMap(({ accessPoints }) => accessPoints)
  return {
    stale: staleOf(scans),
    inScan: { p10: quantile(sizes, 0.1), p50: quantile(sizes, 0.5), p90: quantile(sizes, 0.9) },
    spreadMeters: { p50: quantile(spreads, 0.5), p90: quantile(spreads, 0.9) },
    unknown: asked.filter(({ bssid }) => !surveyed.has(bssid)).length / asked.length,
  }
}

interface Last {
  readonly signalDbm: number
  readonly scan: TrueScan
}

function staleOf(scans: readonly TrueScan[]): SetStatistics['stale'] {
  let [same, repeated, all] = [0, 0, 0]
  for (const track of Map.groupBy(scans, ({ track: name }) => name).values()) {
    const last = new Map<number, Last>()
    for (const scan of [...track].sort((a, b) => a.seconds - b.seconds))
      for (const { bssid, signalDbm } of scan.accessPoints) {
        all++
        const before = last.get(bssid)
        const isSame = before?.signalDbm === signalDbm
        if (before && isMoved(before.scan, scan)) {
          repeated++
          if (isSame) same++
        }
        // A signal that is only repeated was received where it came first.
        if (!isSame) last.set(bssid, { signalDbm, scan })
      }
  }
  return repeated > 0 ? { ofRepeated: same / repeated, ofAll: same / all } : undefined
}

function isMoved(before: TrueScan, scan: TrueScan): boolean {
  const seconds = scan.seconds - before.seconds
  return seconds > 0 && seconds <= REPEATED.seconds && distanceMeters(before, scan) > REPEATED.meters
}

function spreadsOf(scans: readonly TrueScan[]): number[] {
  const map = new FlatMap(scans[0] ?? { lat: 0, lon: 0 })
  const received = new Map<number, { count: number; x: number; y: number; squares: number }>()
  for (const scan of scans) {
    const { x, y } = map.spot(scan)
    for (const { bssid } of scan.accessPoints) {
      const one = received.get(bssid) ?? { count: 0, x: 0, y: 0, squares: 0 }
      received.set(bssid, one)
      one.count++
      one.x += x
      one.y += y
      one.squares += x ** 2 + y ** 2
    }
  }
  return [...received.values()]
    .filter(({ count }) => count >= LEAST_RECEIVED)
    .map(({ count, x, y, squares }) =>
      Math.sqrt(Math.max(0, squares / count - (x / count) ** 2 - (y / count) ** 2)),
    )
}
