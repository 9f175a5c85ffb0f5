import type { LookupCounts } from '../usage/lookup-counts.js'
import { type SharedMisses } from './shared-misses.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'

/** Searches all sources in order. */
export class Locator {
  constructor(
    private readonly sources: readonly LocationSource[],
    private readonly misses: SharedMisses,
    private readonly counts: Pick<LookupCounts, 'add'>,
  ) {}

  /**
   * Returns the position that the first source finds, or undefined.
   *
   * @throws OperationError `rate_limited`
   */
  async locate(search: Search): Promise<FoundPosition | undefined> {
    const position = await this.searchAll(search)
    const { organization_id } = search.scope
    const isRefused = !position && search.wifiFailure === 'rate_limited'
    this.counts.add(
      organization_id,
      isRefused ? 'refused' : !position ? 'not_found' : position.fallback ? 'fallback' : 'found',
    )
    if (isRefused) throw this.misses.refusal(organization_id)
    return position
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
