import type { StoredContribution } from '@bearing/positioning/learning/evidence/contribution-codec'
import type { Station } from '../ground/stations/station.js'
import { rowId, type LayerEvidence } from './add-evidence.js'

/** A contribution to learn from, and the layer that it goes into. */
export interface Part {
  readonly layer: string
  readonly contribution: StoredContribution
}

/** Returns what contributions add to the layers, each station of a layer once. */
export function evidenceFrom<Key, Statistics>(
  station: Station<Key, Statistics>,
  parts: readonly Part[],
): LayerEvidence<Key, Statistics>[] {
  const sums = new Map<string, { layer: string; key: Key; statistics: Statistics[] }>()
  for (const { layer, contribution } of parts)
    for (const { key, statistics } of station.evidenceIn(contribution)) {
      const id = rowId(station, key, layer)
      const sum = sums.get(id)
      if (sum) sum.statistics.push(statistics)
      else sums.set(id, { layer, key, statistics: [statistics] })
    }
  return Array.from(sums.values(), ({ layer, key, statistics }) => ({
    layer,
    key,
    statistics: station.merge(statistics),
  }))
}
