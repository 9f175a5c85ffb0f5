import type { CellCounts } from '@bearing/contracts/location/cells/cell'
import type { CellKey } from '@bearing/contracts/location/cells/cell-identity'
import type { SentAccessPoints } from '@bearing/contracts/location/access-points/heard-access-point'
import type { AccessPointCounts } from '@bearing/contracts/errors/error-details'
import type { Height } from '@bearing/contracts/location/lookups/height'
import type { PreviousScan } from '@bearing/contracts/location/scans/previous-scans'
import type { Scope } from '../../ground/scope.js'
import type { SearchTrace, SourceName } from './search-trace.js'
import type { CellReader, FoundCell } from '../cells/cell-reader.js'
import { countCells, readCells, type SentCells } from '../cells/rules/read-cells.js'

/** Stations that a device receives, and the permission to ask a provider. */
export interface Heard {
  /** Left out: the operation takes no Wi-Fi scan. */
  readonly accessPoints?: SentAccessPoints
  readonly previousScans?: readonly PreviousScan[]
  /** Left out: the operation takes no cells. */
  readonly cells?: SentCells & { readonly radioType?: string | undefined }
  /** True if a provider may be asked if Bearing does not know the position. */
  readonly asksProvider: boolean
}

/**
 * Reason that a Wi-Fi scan has no position.
 * - `too_few_usable`: the scan has too few radios.
 * - `too_few_known`: too few are known, or they do not agree. It does not say how many: a scan of one address would be a question
 *   about it.
 * - `rate_limited`: too few are the organization's own, and it has reached the limit of `BaseLayerSearches`.
 */
export type WifiFailure = 'too_few_usable' | 'too_few_known' | 'rate_limited'

/** A position, and its source. */
export interface FoundPosition extends Height {
  readonly lat: number
  readonly lon: number
  readonly uncertainty: number
  readonly fulfilledWith: 'WIFI' | 'MCELL' | 'SCELL'
  /** True if a provider found it. */
  readonly fallback?: true
}

/** A search for a position: the request, and the findings of sources so far. */
export class Search {
  accessPointCounts: AccessPointCounts
  cellCounts: CellCounts
  /** Undefined if Wi-Fi was not searched, or found the position. */
  wifiFailure: WifiFailure | undefined
  readonly usableCells: readonly CellKey[]
  private cells: Promise<readonly FoundCell[]> | undefined
  /** Set for a search that is explained. */
  trace: SearchTrace | undefined

  /** @param confidence how often the uncertainty should hold the truth, in percent: 50 to 99 */
  constructor(
    readonly scope: Scope,
    readonly heard: Heard,
    readonly confidence: number,
  ) {
    const { accessPoints = [], cells } = heard
    this.usableCells = cells ? readCells(cells, cells.radioType) : []
    this.accessPointCounts = { received: accessPoints.length, usable: 0 }
    this.cellCounts = {
      received: cells ? countCells(cells) : 0,
      usable: this.usableCells.length,
      known: 0,
      used: 0,
    }
  }

  /** Returns what is known of the cells. They are read once. */
  knownCells(reader: CellReader): Promise<readonly FoundCell[]> {
    return (this.cells ??= reader.find(this.scope.organization_id, this.usableCells))
  }
}

/** One way to find a position. Sources are searched in order until one finds it. */
export interface LocationSource {
  readonly name: SourceName
  /** Returns whether the source may be searched, given what the sources before it have found out. */
  shouldSearch(search: Search): boolean
  /** Returns the position, or undefined; writes what it has found out to the search. */
  search(search: Search): Promise<FoundPosition | undefined>
}
