import { merge, type AccessPointStatistics } from '@bearing/positioning/learning/statistics'
import {
  ACCESS_POINT_BOUNDS,
  contributorOf,
  mergeContributors,
  NO_CONTRIBUTORS,
  RADIO_CELL_BOUNDS,
  type ContributorBounds,
  type Contributors,
} from '@bearing/positioning/learning/contributors'
import type { Coordinates } from '@bearing/positioning/sphere'
import { formatCell } from '@bearing/contracts/location/cell-identity'
import type { RadioCellLesson } from '@bearing/positioning/learning/learn'
import {
  mergeRadioCells,
  type RadioCellStatistics,
} from '@bearing/positioning/learning/radio-cell-statistics'
import type { CellAddition } from './add-cell-statistics.js'
import { keyOf, type Addition } from './add-statistics.js'

/** The organization that contributed an observation, and where: recorded in the shared layer. */
export interface Origin extends Coordinates {
  readonly organization: string
}

/** What one observation says about access points, by BSSID, and about radio cells, and the layers that it goes into. */
export interface Part {
  readonly layers: readonly string[]
  readonly statistics: ReadonlyMap<number, AccessPointStatistics>
  readonly cells: readonly RadioCellLesson[]
  /** Of the shared layer. */
  readonly origin?: Origin | undefined
}

/** What observations add to the layers, each access point of a layer once. */
export function additionsFrom(parts: readonly Part[]): Addition[] {
  const sums = new Map<string, Sum<AccessPointStatistics> & Pick<Addition, 'layer' | 'bssid'>>()
  for (const { layers, statistics, origin } of parts)
    for (const layer of layers)
      for (const [bssid, own] of statistics)
        add(sums, keyOf(bssid, layer), own, contributorsOf(origin, ACCESS_POINT_BOUNDS), { layer, bssid })
  return Array.from(sums.values(), ({ layer, bssid, list, contributors }) => ({
    layer,
    bssid,
    statistics: merge(list),
    contributors: mergeContributors(contributors, ACCESS_POINT_BOUNDS),
  }))
}

/** What observations add to the layers, each radio cell of a layer once. */
export function cellAdditionsFrom(parts: readonly Part[]): CellAddition[] {
  const sums = new Map<string, Sum<RadioCellStatistics> & Pick<CellAddition, 'layer' | 'cell'>>()
  for (const { layers, cells, origin } of parts)
    for (const layer of layers)
      for (const { cell, statistics } of cells) {
        const contributors = contributorsOf(origin, RADIO_CELL_BOUNDS)
        add(sums, `${formatCell(cell)} ${layer}`, statistics, contributors, { layer, cell })
      }
  return Array.from(sums.values(), ({ layer, cell, list, contributors }) => ({
    layer,
    cell,
    statistics: mergeRadioCells(list),
    contributors: mergeContributors(contributors, RADIO_CELL_BOUNDS),
  }))
}

/** Parts of one record. */
interface Sum<Statistics> {
  readonly list: Statistics[]
  readonly contributors: Contributors[]
}

function add<Statistics, Key extends object>(
  sums: Map<string, Sum<Statistics> & Key>,
  name: string,
  statistics: Statistics,
  contributors: Contributors,
  key: Key,
): void {
  const known = sums.get(name)
  if (!known) {
    sums.set(name, { ...key, list: [statistics], contributors: [contributors] })
    return
  }
  known.list.push(statistics)
  if (contributors.length > 0) known.contributors.push(contributors)
}

function contributorsOf(origin: Origin | undefined, bounds: ContributorBounds): Contributors {
  return origin ? contributorOf(origin.organization, origin, bounds) : NO_CONTRIBUTORS
}
