import type { Contribution, RadioCellReading, Reading } from './contribution.js'
import { freshCells } from './fresh-cells.js'
import { freshReadings } from './fresh-readings.js'
import { implausible, type Implausible } from './plausibility.js'
import { radioCellStatisticsOf, type RadioCellStatistics } from './radio-cell-statistics.js'
import { merge, periodOf, statisticsOf, weightOf, type AccessPointStatistics } from './statistics.js'

/** What a contribution teaches: statistics to be added to those of each access point and radio cell, or why nothing. */
export type Lesson =
  | {
      readonly accepted: true
      /** By BSSID. */
      readonly statistics: ReadonlyMap<number, AccessPointStatistics>
      /** What was heard there, for the reference scans of the project. */
      readonly readings: readonly Reading[]
      /** The radio cells that were learned from, each once (`cellLessonsFrom`). */
      readonly cells: readonly RadioCellReading[]
    }
  | { readonly accepted: false; readonly reason: Implausible | 'nothing_fresh' }

const SECONDS_A_DAY = 86_400

/**
 * What one contribution teaches.
 *
 * A function of the contribution and of the device's scan before it, and of nothing that was learned: so contributions can
 * be learned from in any order, in batches, twice from the start, and the sums are the same ({@link taught}).
 *
 * @param previous the device's scan before this one, where it is known
 * @param nowSeconds seconds since 1970
 * @param place `anew`: where the scan before it was taken is not true; what it heard may still be repeated
 */
export function lessonOf(
  contribution: Contribution,
  previous: Contribution | undefined,
  nowSeconds: number,
  place: 'after' | 'anew' = 'after',
): Lesson {
  const reason = implausible(contribution, place === 'anew' ? undefined : previous, nowSeconds)
  if (reason) return { accepted: false, reason }
  const readings = freshReadings(contribution, previous)
  const cells = freshCells(contribution.cells ?? [])
  if (readings.length === 0 && cells.length === 0) return { accepted: false, reason: 'nothing_fresh' }
  return { accepted: true, statistics: statisticsFrom(contribution, readings), readings, cells }
}

/** What readings of a contribution say about each access point, by BSSID. */
export function statisticsFrom(
  { lat, lon, accuracyMeters, atSeconds }: Contribution,
  readings: readonly Reading[],
): Map<number, AccessPointStatistics> {
  const weight = weightOf(accuracyMeters)
  const day = Math.floor(atSeconds / SECONDS_A_DAY)
  return new Map(
    readings.map(({ bssid, signalDbm }) => [
      bssid,
      statisticsOf({ lat, lon, signalDbm: Math.round(signalDbm), weight, day }),
    ]),
  )
}

/** What one observation says about a radio cell. */
export interface RadioCellLesson {
  readonly cell: RadioCellReading
  readonly statistics: RadioCellStatistics
}

/** What a contribution says about radio cells that were heard there. */
export function cellLessonsFrom(
  { lat, lon, accuracyMeters, atSeconds }: Contribution,
  cells: readonly RadioCellReading[],
): RadioCellLesson[] {
  const period = periodOf(Math.floor(atSeconds / SECONDS_A_DAY))
  return cells.map((cell) => {
    const { radio, signalDbm } = cell
    return { cell, statistics: radioCellStatisticsOf({ lat, lon, radio, signalDbm, accuracyMeters, period }) }
  })
}

/**
 * What lessons teach together with what was known: the transition of the learner.
 *
 * @param known statistics so far, by BSSID; those of access points that the lessons do not name are not needed
 * @returns the new statistics of the access points that the lessons name
 */
export function taught(
  known: ReadonlyMap<number, AccessPointStatistics>,
  lessons: readonly Lesson[],
): Map<number, AccessPointStatistics> {
  const parts = new Map<number, AccessPointStatistics[]>()
  for (const lesson of lessons) {
    if (!lesson.accepted) continue
    for (const [bssid, statistics] of lesson.statistics) {
      const before = known.get(bssid)
      const list = parts.get(bssid) ?? (before ? [before] : [])
      list.push(statistics)
      parts.set(bssid, list)
    }
  }
  return new Map([...parts].map(([bssid, list]) => [bssid, merge(list)]))
}
