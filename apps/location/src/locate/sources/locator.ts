import { type SharedMisses } from './shared-misses.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'

/** Searches all sources in order. */
export class Locator {
  constructor(
    private readonly sources: readonly LocationSource[],
    private readonly misses: SharedMisses,
  ) {}

  /**
   * Returns the position that the first source finds, or undefined.
   *
   * @throws OperationError `rate_limited`
   */
  async locate(search: Search): Promise<FoundPosition | undefined> {
    for (const source of this.sources) {
      const position = source.shouldSearch(search) ? await source.search(search) : undefined
      if (position) return position
    }
    if (search.wifiFailure === 'rate_limited') throw this.misses.refusal(search.scope.organization_id)
    return undefined
  }
}
