import type { Estimate } from '@bearing/positioning/estimate/estimate'
import {
  layeredEstimate,
  type KnownOfScan,
  type LayeredOptions,
} from '@bearing/positioning/estimate/layered-estimate'
import type { EarlierScan } from '@bearing/positioning/following/earlier-scans'
import type { Scan } from '@bearing/positioning/scans/scan'
import type { SentReading } from '@bearing/positioning/scans/usable-readings'
import type { Search } from '../location-source.js'

/** A Wi-Fi scan, those before it, and what is known of them. */
export interface WifiEvidence {
  readonly scan: Scan
  /** Readings as the device sent them. */
  readonly readings: readonly SentReading[]
  /** Knowledge of the scan that the look-up may use, in its order. */
  readonly usable: KnownOfScan
  readonly options: LayeredOptions
  /** Scans that the device is followed by. */
  readonly earlier: readonly EarlierScan[]
  /** The addresses of the scan, then those that only earlier scans have, and what is known of them in this order. */
  readonly addresses: Pick<ReadonlySet<number>, 'keys'>
  readonly known: KnownOfScan
}

/** Position of a scan, and the knowledge behind it. */
export interface LocatedWifi {
  readonly estimate: Estimate
  /** Knowledge of the scan, in its order. */
  readonly by: KnownOfScan
  /** True if the cells of the request contradict the access points. */
  readonly isRefuted?: true
  /** Access points whose distances count; missing if none was measured. */
  readonly ranged?: number | undefined
  /** Returns the radius at a confidence; missing if it is that of the estimate. */
  readonly radiusAt?: ((confidence: number) => number) | undefined
}

/** Locates a Wi-Fi scan. All but the first wrap another one, and change what it finds. */
export interface WifiLocator {
  locate(search: Search, evidence: WifiEvidence): Promise<LocatedWifi>
}

/** Estimates where a scan was taken by what may be used. */
export const ESTIMATING: WifiLocator = {
  locate: (_, { scan, usable, options }) =>
    Promise.resolve({ estimate: layeredEstimate(scan, usable, options), by: usable }),
}

/** Returns the radius of an estimate that was made again at another confidence. */
export function radiusOf({ scan, options }: WifiEvidence, by: KnownOfScan): (confidence: number) => number {
  return (confidence) => {
    const estimate = layeredEstimate(scan, by, { ...options, confidence })
    return estimate.found ? estimate.radiusMeters : Infinity
  }
}
