import {
  contributorOf,
  mergeContributors,
  NO_CONTRIBUTORS,
  type Contributors,
} from '@bearing/positioning/learning/contributors'
import type { StoredContribution } from '@bearing/positioning/learning/contribution-codec'
import { SHARED_LAYER } from '../ground/layer.js'
import type { Station } from '../ground/stations/station.js'
import { rowId, type LayerEvidence } from './add-evidence.js'

/** A contribution to learn from, and the layers that it goes into. */
export interface Part {
  readonly organizationId: string
  readonly layers: readonly string[]
  readonly contribution: StoredContribution
}

/** Returns what contributions add to the layers, each station of a layer once. */
export function evidenceFrom<Key, Statistics>(
  station: Station<Key, Statistics>,
  parts: readonly Part[],
): LayerEvidence<Key, Statistics>[] {
  const sums = new Map<
    string,
    { layer: string; key: Key; statistics: Statistics[]; contributors: Contributors[] }
  >()
  for (const { organizationId, layers, contribution } of parts)
    for (const { key, statistics } of station.evidenceIn(contribution))
      for (const layer of layers) {
        // Contributors are recorded in the shared layer only.
        const contributors =
          layer === SHARED_LAYER
            ? contributorOf(organizationId, contribution, station.bounds)
            : NO_CONTRIBUTORS
        const id = rowId(station, key, layer)
        const sum = sums.get(id)
        if (!sum) {
          sums.set(id, { layer, key, statistics: [statistics], contributors: [contributors] })
          continue
        }
        sum.statistics.push(statistics)
        if (contributors.length > 0) sum.contributors.push(contributors)
      }
  return Array.from(sums.values(), ({ layer, key, statistics, contributors }) => ({
    layer,
    key,
    statistics: station.merge(statistics),
    contributors: mergeContributors(contributors, station.bounds),
  }))
}
