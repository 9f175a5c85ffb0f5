/** A scan whose true place is known. */
export interface TrueScan {
  readonly lat: number
  readonly lon: number
  /** Possible error of the truth, in meters. */
  readonly accuracyMeters: number
  /** Unix time in seconds; some sets count from the start of a trial. */
  readonly seconds: number
  readonly floor?: string
  readonly track: string
  readonly device: string
  readonly accessPoints: readonly Reading[]
}

export interface Reading {
  /** 48 bits as an integer. */
  readonly bssid: number
  readonly signalDbm: number
  /** Age at the time of the scan, in milliseconds. */
  readonly ageMs: number
}

/** Scans to learn from, and scans to locate. */
export interface Fold {
  readonly train: readonly TrueScan[]
  readonly test: readonly TrueScan[]
}

/** One line of the table. */
export interface ScanSet {
  readonly name: string
  /** Sets of one place: when one is judged, nothing is fitted to the others of its group. */
  readonly group: string
  /** True if scans of one track follow each other, with their times, so that stale readings can be recognized. */
  readonly hasWalks?: boolean
  /** True if the times of a track are those of one device, so that it can send its previous scans. */
  readonly isTracked?: boolean
  readonly folds: readonly Fold[]
}
