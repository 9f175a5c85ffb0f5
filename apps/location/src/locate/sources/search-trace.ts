import type { CellKey } from '@bearing/contracts/location/cells/cell-identity'
import type { Explanation } from '@bearing/contracts/location/lookups/explanation'
import type { LayeredKnowledge } from '@bearing/positioning/estimate/layered-estimate'
import type { KnownCell } from '@bearing/positioning/cells/locate-cells'

type Sources = Explanation['sources']
export type SourceName = Sources[number]['source']

/** Findings of the Wi-Fi source. */
export interface WifiTrace {
  /** BSSIDs that count. */
  readonly usable: ReadonlySet<number>
  readonly known: ReadonlyMap<number, LayeredKnowledge>
  /** BSSIDs that are known and agree, and those of them that the position was determined with. Empty without one. */
  readonly agreeing: ReadonlySet<number>
  readonly used: ReadonlySet<number>
}

/** A radio cell that is known, and what the organization alone knows of it. */
export interface TracedCell {
  readonly key: CellKey
  readonly own: KnownCell | undefined
  readonly isUsed: boolean
}

/** Notes of the sources of a search that is explained. Other searches have none. */
export class SearchTrace {
  readonly sources: Sources = []
  radii: Explanation['radii'] = null
  wifi: WifiTrace | undefined
  cells: readonly TracedCell[] | undefined

  /** Notes the radii of the position that was found. */
  setRadii(radiusAt: (confidence: number) => number): void {
    this.radii = { p68: radiusAt(68), p95: radiusAt(95) }
  }
}
