import { accessPointEvidence } from '@bearing/positioning/learning/evidence/learn'
import { modelOf } from '@bearing/positioning/learning/statistics/model-of'
import { placementOf } from '@bearing/positioning/learning/statistics/placement-of'
import {
  merge,
  WHOLE_WEIGHT,
  type AccessPointStatistics,
} from '@bearing/positioning/learning/statistics/statistics'
import { decodeStatistics, encodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import {
  mayTouchArea,
  statisticsWithoutArea,
} from '@bearing/positioning/learning/statistics/statistics-without-area'
import { isInside } from './area.js'
import type { Station } from './station.js'

const IMPORTED = [
  ['lat', 'float8'],
  ['lon', 'float8'],
  ['spread', 'float8'],
  ['observations', 'int4'],
  ['declared', 'bool'],
] as const

/** Wi-Fi access points, by BSSID. */
export const ACCESS_POINT: Station<number, AccessPointStatistics, typeof IMPORTED> = {
  name: 'access-point',
  tables: {
    imported: 'access_points',
    learned: 'learned_access_points',
    tombstones: 'forgotten_access_points',
  },
  columns: [['bssid', 'int8']],
  importedColumns: IMPORTED,
  valuesOf: (bssid) => [bssid],
  keyOf: ([bssid = 0]) => bssid,
  idOf: (bssid) => bssid,
  bytesOf: (bssid) => Buffer.from(bssid.toString(16).padStart(12, '0'), 'hex'),
  encode: encodeStatistics,
  decode: decodeStatistics,
  merge,
  countIn: ({ sites }) => sites.sites.reduce((sum, { weight }) => sum + weight, 0) / WHOLE_WEIGHT,
  placementOf,
  withoutAreas: (statistics, areas) => {
    const near = areas.filter((area) => mayTouchArea(statistics, area, area.radius))
    if (near.length === 0) return statistics
    const place = modelOf(statistics)
    if (place && near.some((area) => isInside(area, place))) return 'inside'
    let left: AccessPointStatistics | undefined = statistics
    for (const area of near) left = left && statisticsWithoutArea(left, area, area.radius)
    return left
  },
  keysIn: ({ readings }) => readings.map(({ bssid }) => bssid),
  evidenceIn: (heard) => accessPointEvidence(heard, heard.learned ?? []),
  filter: (heard, keeps) => {
    const readings = heard.readings.filter(({ bssid }) => keeps(bssid))
    if (readings.length === heard.readings.length) return heard
    return {
      ...heard,
      readings,
      ...(heard.learned && { learned: heard.learned.filter(({ bssid }) => keeps(bssid)) }),
    }
  },
}
