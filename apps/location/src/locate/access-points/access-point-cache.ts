import { LRUCache } from 'lru-cache'
import { SHARED_LAYER } from '../../ground/layer.js'
import { AccessPointTable, type TableLimits } from './access-point-table.js'

/** How much is remembered, and for how long. */
export interface CacheLimits extends TableLimits {
  /** Organizations. */
  readonly organizations: number
}

/**
 * Access points that were looked up lately, and which were not found. Each organization has a view of its own: its own
 * access points, and those of the shared layer that it does not have itself. So what belongs to one cannot be found with the
 * key of another. What was least recently used goes first. Times are given by the caller, once for a whole scan.
 *
 * Whoever reads from the database holds on to the view it asked, and writes what it read there: if the view was forgotten
 * meanwhile, nobody looks there any more, so old rows cannot come back.
 */
export class AccessPointCache {
  private readonly views: LRUCache<string, AccessPointTable>

  constructor(private readonly limits: CacheLimits) {
    this.views = new LRUCache({ max: limits.organizations })
  }

  /**
   * What is remembered for an organization right now. Ask for it before the database is asked, and never keep it for
   * longer than one look-up.
   */
  view(organizationId: string): AccessPointTable {
    const known = this.views.get(organizationId)
    if (known) return known
    const made = new AccessPointTable(this.limits)
    this.views.set(organizationId, made)
    return made
  }

  /** Forgets what a changed layer is part of: one organization's view, or with the shared layer everybody's. */
  forget(layer: string): void {
    if (layer === SHARED_LAYER) this.clear()
    else this.views.delete(layer)
  }

  /** Forgets some access points of a layer. */
  forgetSome(layer: string, bssids: readonly number[]): void {
    const views = layer === SHARED_LAYER ? [...this.views.values()] : [this.views.peek(layer)]
    for (const view of views) for (const bssid of bssids) view?.delete(bssid)
  }

  /** Forgets everything: changes may have been missed. */
  clear(): void {
    this.views.clear()
  }
}
