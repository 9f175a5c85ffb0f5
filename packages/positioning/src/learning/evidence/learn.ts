import type { Contribution, RadioCellReading, Reading } from './contribution.js'
import { freshCells } from './fresh-cells.js'
import { freshReadings } from './fresh-readings.js'
import { implausible, type Implausible } from './plausibility.js'
import { radioCellStatisticsOf, type RadioCellStatistics } from '../statistics/radio-cell-statistics.js'
import type { RecentScans } from './recent-scans.js'
import {
  merge,
  periodOf,
  statisticsOf,
  weightOf,
  type AccessPointStatistics,
} from '../statistics/statistics.js'

/** The readings of a contribution to learn from, or why there are none. */
export type Update =
  | {
      readonly accepted: true
      readonly readings: readonly Reading[]
      /** Each radio cell once. */
      readonly cells: readonly RadioCellReading[]
    }
  | { readonly accepted: false; readonly reason: Implausible | 'nothing_fresh' }

/** A scan, and what is learned from it. */
export interface ScanUpdate {
  readonly contribution: Contribution
  readonly update: Update
}

const SECONDS_A_DAY = 86_400

/** Reports of a device before a scan. */
export interface Before {
  /** Its previous scan. */
  readonly last: Contribution
  /** Scans that it may report again; `last` is among them. */
  readonly recent: RecentScans
}

/**
 * Selects what can be learned from one contribution. The result depends on the contribution and the device's scans before it
 * only, so contributions can be learned in any order, in batches or again, and the sums are the same.
 *
 * @param before the device's previous scans, if they are known
 * @param nowSeconds seconds since 1970
 * @param place `restarted`: the position of the previous scan is wrong, but its readings may still be repeated
 */
export function updateFrom(
  contribution: Contribution,
  before: Before | undefined,
  nowSeconds: number,
  place: 'after' | 'restarted' = 'after',
): Update {
  const reason = implausible(contribution, place === 'restarted' ? undefined : before?.last, nowSeconds)
  if (reason) return { accepted: false, reason }
  const readings = freshReadings(contribution, before?.recent ?? [])
  const cells = freshCells(contribution.cells ?? [])
  if (readings.length === 0 && cells.length === 0) return { accepted: false, reason: 'nothing_fresh' }
  return { accepted: true, readings, cells }
}

/** Evidence of one observation about a station. */
export interface Evidence<Key, Statistics> {
  readonly key: Key
  readonly statistics: Statistics
}

/** Returns what readings of a contribution say about access points. */
export function accessPointEvidence(
  { lat, lon, accuracyMeters, atSeconds }: Contribution,
  readings: readonly Reading[],
): Evidence<number, AccessPointStatistics>[] {
  const weight = weightOf(accuracyMeters)
  const day = Math.floor(atSeconds / SECONDS_A_DAY)
  return readings.map(({ bssid, signalDbm }) => ({
    key: bssid,
    statistics: statisticsOf({ lat, lon, signalDbm: Math.round(signalDbm), weight, day }),
  }))
}

/** Returns what a contribution says about radio cells that were heard there. */
export function radioCellEvidence(
  { lat, lon, accuracyMeters, atSeconds }: Contribution,
  cells: readonly RadioCellReading[],
): Evidence<RadioCellReading, RadioCellStatistics>[] {
  const period = periodOf(Math.floor(atSeconds / SECONDS_A_DAY))
  return cells.map((cell) => {
    const { radio, signalDbm } = cell
    return {
      key: cell,
      statistics: radioCellStatisticsOf({ lat, lon, radio, signalDbm, accuracyMeters, period }),
    }
  })
}

/**
 * Adds scans to statistics, as the service does.
 *
 * @param known statistics so far, by BSSID; access points that the scans do not contain are not needed
 * @returns the new statistics of the access points in the scans
 */
export function addScans(
  known: ReadonlyMap<number, AccessPointStatistics>,
  scans: readonly ScanUpdate[],
): Map<number, AccessPointStatistics> {
  const parts = new Map<number, AccessPointStatistics[]>()
  for (const { contribution, update } of scans) {
    if (!update.accepted) continue
    for (const { key, statistics } of accessPointEvidence(contribution, update.readings)) {
      const before = known.get(key)
      const list = parts.get(key) ?? (before ? [before] : [])
      list.push(statistics)
      parts.set(key, list)
    }
  }
  return new Map([...parts].map(([bssid, list]) => [bssid, merge(list)]))
}
