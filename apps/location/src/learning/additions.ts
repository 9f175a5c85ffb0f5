import { merge, type AccessPointStatistics } from '@bearing/positioning/learning/statistics'
import { keyOf, type Addition } from './add-statistics.js'

/** What one observation says about access points, by BSSID, and the layers that it goes into. */
export interface Part {
  readonly layers: readonly string[]
  readonly statistics: ReadonlyMap<number, AccessPointStatistics>
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
