import type { ScanSet, TrueScan } from './scan-set.js'

/** Divisors of a survey: every n-th part of it is learned from. */
const EVERY = [4, 16]

/**
 * Sets as they would be if less had been surveyed, for calibration alone: how far an estimate is off depends on how dense a
 * survey is, and a calibration has to have seen that somewhere else than where it is judged. Whole parts are left out:
 * walks, or all scans of a spot where walks are not distinguished.
 */
export function sparser(set: ScanSet): ScanSet[] {
  return EVERY.map((every) => ({
    ...set,
    name: `${set.name} 1/${String(every)}`,
    folds: set.folds.map(({ train, test }) => ({ train: partOf(train, every), test })),
  }))
}

function partOf(train: readonly TrueScan[], every: number): TrueScan[] {
  const tracks = new Set(train.map(({ track }) => track))
  const part = tracks.size > 1 ? ({ track }: TrueScan) => track : spotOf
  const parts = [...new Set(train.map(part))].sort()
  const kept = new Set(parts.filter((_, index) => index % every === 0))
  return train.filter((scan) => kept.has(part(scan)))
}

/** About 20 m. */
function spotOf({ lat, lon }: TrueScan): string {
  return `${(lat * 5_000).toFixed(0)} ${(lon * 5_000).toFixed(0)}`
}
