import type { UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import type { Scope } from '../../ground/scope.js'
import type { FastPath, LocatedScan } from '../fast-path/fast-path.js'
import type { LookupCounts } from '../usage/lookup-counts.js'
import type { BaseLayerSearches } from './base-layer-searches.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'

/** Searches all sources in order. */
export class Locator {
  constructor(
    private readonly sources: readonly LocationSource[],
    private readonly fastPath: Pick<FastPath, 'locate'>,
    private readonly searches: Pick<BaseLayerSearches, 'refusal'>,
    private readonly counts: Pick<LookupCounts, 'add'>,
  ) {}

  /**
   * Returns the position that the first source finds, or undefined.
   *
   * @throws OperationError `rate_limited`
   */
  async locate(search: Search): Promise<FoundPosition | undefined> {
    const position = await this.searchAll(search)
    const { scope } = search
    const isRefused = !position && search.wifiFailure === 'rate_limited'
    this.counts.add(
      scope,
      isRefused ? 'refused' : !position ? 'not_found' : position.fallback ? 'fallback' : 'found',
      position?.uncertainty,
    )
    if (isRefused) throw await this.searches.refusal(scope.organization_id)
    return position
  }

  /** Returns what {@link locate} does for a Wi-Fi scan, if it can be found without waiting. Undefined says nothing. */
  locateNow(scope: Scope, scan: UsualScan): LocatedScan | undefined {
    const located = this.fastPath.locate(scope, scan)
    if (located) this.counts.add(scope, 'found', located.uncertainty)
    return located
  }

  private async searchAll(search: Search): Promise<FoundPosition | undefined> {
    for (const source of this.sources) {
      const isAsked = source.shouldSearch(search)
      const position = isAsked ? await source.search(search) : undefined
      search.trace?.sources.push({ source: source.name, outcome: outcomeOf(isAsked, position) })
      if (position) return position
    }
    return undefined
  }
}

function outcomeOf(isAsked: boolean, position: FoundPosition | undefined) {
  if (position) return 'found' as const
  return isAsked ? ('not_found' as const) : ('skipped' as const)
}
