import { merge, type AccessPointStatistics } from '@bearing/positioning/learning/statistics'
import { formatCell } from '@bearing/contracts/location/cell-identity'
import type { RadioCellLesson } from '@bearing/positioning/learning/learn'
import {
  mergeRadioCells,
  type RadioCellStatistics,
} from '@bearing/positioning/learning/radio-cell-statistics'
import type { CellAddition } from './add-cell-statistics.js'
import { keyOf, type Addition } from './add-statistics.js'

/** What one observation says about access points, by BSSID, and about radio cells, and the layers that it goes into. */
export interface Part {
  readonly layers: readonly string[]
  readonly statistics: ReadonlyMap<number, AccessPointStatistics>
  readonly cells: readonly RadioCellLesson[]
}

/** What observations add to the layers, each access point of a layer once. */
export function additionsFrom(parts: readonly Part[]): Addition[] {
  const sums = new Map<string, { layer: string; bssid: number; list: AccessPointStatistics[] }>()
  for (const { layers, statistics } of parts)
    for (const layer of layers)
      for (const [bssid, own] of statistics) {
        const key = keyOf(bssid, layer)
        const known = sums.get(key)
        if (known) known.list.push(own)
        else sums.set(key, { layer, bssid, list: [own] })
      }
  return [...sums.values()].map(({ layer, bssid, list }) => ({ layer, bssid, statistics: merge(list) }))
}

/** What observations add to the layers, each radio cell of a layer once. */
export function cellAdditionsFrom(parts: readonly Part[]): CellAddition[] {
  const sums = new Map<string, Omit<CellAddition, 'statistics'> & { list: RadioCellStatistics[] }>()
  for (const { layers, cells } of parts)
    for (const layer of layers)
      for (const { cell, statistics } of cells) {
        const key = `${formatCell(cell)} ${layer}`
        const known = sums.get(key)
        if (known) known.list.push(statistics)
        else sums.set(key, { layer, cell, list: [statistics] })
      }
  return Array.from(sums.values(), ({ layer, cell, list }) => ({
    layer,
    cell,
    statistics: mergeRadioCells(list),
  }))
}
