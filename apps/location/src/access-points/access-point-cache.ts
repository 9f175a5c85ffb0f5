import { LRUCache } from 'lru-cache'
import { SHARED_LAYER } from '../layer.js'
import type { LayeredKnowledge } from '@bearing/positioning/layered-estimate'

/** Stands for an access point that an organization has no position for. */
export const UNKNOWN = Symbol('unknown access point')

/** What an access point is known as. */
export type Known = LayeredKnowledge | typeof UNKNOWN

interface Entry {
  readonly known: Known
  readonly expiresAtMs: number
}

/** How much is remembered, and for how long. */
export interface CacheLimits {
  /** Organizations. */
  readonly organizations: number
  /** Access points of one organization. */
  readonly accessPoints: number
  /** Milliseconds until an entry is read again, even if nothing was heard of a change. */
  readonly ttlMs: number
}

/**
 * What is remembered for one organization: its own access points, and those of the shared layer that it does not have
 * itself. Times are given by the caller, once for a whole scan.
 */
export class View {
  private readonly entries: LRUCache<number, Entry>

  constructor(private readonly limits: CacheLimits) {
    this.entries = new LRUCache({ max: limits.accessPoints })
  }

  /** Undefined: cannot tell. */
  get(bssid: number, nowMs: number): Known | undefined {
    const entry = this.entries.get(bssid)
    return entry && entry.expiresAtMs > nowMs ? entry.known : undefined
  }

  /** Forgets one access point. What is being read at the moment may still come in, and goes when it expires. */
  delete(bssid: number): void {
    this.entries.delete(bssid)
  }

  set(bssid: number, known: Known, nowMs: number): void {
    this.entries.set(bssid, { known, expiresAtMs: nowMs + this.limits.ttlMs })
  }
}

/**
 * Access points that were looked up lately, and which were not found. Each organization has a view of its own, so that
 * what belongs to one cannot be found with the key of another. What was least recently used goes first.
 *
 * Whoever reads from the database holds on to the view it asked, and writes what it read there: if the view was forgotten
 * meanwhile, nobody looks there any more, so old rows cannot come back.
 */
export class AccessPointCache {
  private readonly views: LRUCache<string, View>

  constructor(private readonly limits: CacheLimits) {
    this.views = new LRUCache({ max: limits.organizations })
  }

  /**
   * What is remembered for an organization right now. Ask for it before the database is asked, and never keep it for
   * longer than one look-up.
   */
  view(organizationId: string): View {
    const known = this.views.get(organizationId)
    if (known) return known
    const made = new View(this.limits)
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
