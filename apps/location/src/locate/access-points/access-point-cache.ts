import { setImmediate as nextTurn } from 'node:timers/promises'
import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import { accessPointsLearned } from '@bearing/contracts/location/access-points/learned'
import type { CacheFigures } from '@bearing/client-nats/remote-cache'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Logger } from '@bearing/service/observe/logger'
import { Cache } from '@bearing/client-nats/cache'
import { BASE_LAYER } from '../../ground/layer.js'
import { AccessPointTable, type TableLimits } from './table/access-point-table.js'

/** All organizations together have at most so many times the memory that one may have. */
const ALL_TOGETHER = 2

/** Deletions in one turn of the event loop: about half a millisecond. */
const DELETIONS_A_TURN = 5_000

/** Limits on the size and the age of the cache. */
export interface CacheLimits extends TableLimits {
  /** Organizations. */
  readonly organizations: number
}

/**
 * Caches access points, known or not, by organization: its own, and those of the base layer, as this organization may see them.
 * So no organization finds what belongs to another one. The least recently used are dropped first; if all organizations together
 * take too much memory, those of the organization that takes the most.
 *
 * Readers keep the view that they asked and write to it. An invalidated view is no longer used, so old rows cannot come back.
 */
export class AccessPointCache {
  private readonly views: Cache<AccessPointTable>
  private hits = 0
  private misses = 0
  private checks = 0
  private isChecked = false
  private checkedUntilMs = 0

  constructor(private readonly limits: CacheLimits) {
    this.views = new Cache(limits.organizations)
  }

  get figures(): CacheFigures {
    return { hits: this.hits, misses: this.misses, size: this.entries }
  }

  /**
   * Identifies the time between two checks of changes; undefined during a check, and while they fail. A read within it
   * misses no change: the next check finds those that the read did not see.
   */
  get checked(): number | undefined {
    return this.isChecked ? this.checks : undefined
  }

  /** Begins a check of changes. */
  beginCheck(): void {
    this.isChecked = false
    this.checks++
  }

  /**
   * Ends a check, after everything that it found was invalidated.
   *
   * @param untilMs when entries lose their longer life unless another check has ended, in milliseconds since 1970
   */
  endCheck(untilMs: number): void {
    this.isChecked = true
    this.checkedUntilMs = untilMs
  }

  /** Drops the organization that takes the most memory, if all take too much. */
  shrink(): void {
    let largest = { organization: '', slots: 0 }
    let all = 0
    let most = 0
    for (const [organization, { slots, mostSlots }] of this.views.entries()) {
      all += slots
      most = ALL_TOGETHER * mostSlots
      if (slots > largest.slots) largest = { organization, slots }
    }
    if (all > most) this.views.delete(largest.organization)
  }

  /** Counts how many access points of a look-up were cached, and how many were not. */
  count(hits: number, misses: number): void {
    this.hits += hits
    this.misses += misses
  }

  /** Returns the cached access points of an organization. Ask for it before the database, and keep it for one look-up only. */
  view(organizationId: string): AccessPointTable {
    const known = this.views.get(organizationId)
    if (known) return known
    const made = new AccessPointTable(this.limits, () => this.checkedUntilMs)
    this.views.set(organizationId, made)
    return made
  }

  /** Invalidates entries by events, and all of them if events may have been missed. */
  invalidateBy(connection: Connection, logger: Logger): void {
    const clear = () => {
      this.clear()
    }
    const invalid = (error: unknown) => {
      logger.warn({ err: error }, 'An event is not valid. All cached access points are read again.')
      clear()
    }
    const changed = ({ organization_id }: { organization_id: string | null }) => {
      this.invalidate(organization_id ?? BASE_LAYER)
    }
    onEvent(connection, accessPointsChanged, changed, invalid, clear)
    onEvent(
      connection,
      accessPointsLearned,
      ({ organization_id, bssids }) => {
        void this.invalidateSome(organization_id ?? BASE_LAYER, bssids)
      },
      invalid,
      clear,
    )
  }

  /** Invalidates the view of an organization, or with the base layer all views. */
  invalidate(layer: string): void {
    if (layer === BASE_LAYER) this.clear()
    else this.views.delete(layer)
  }

  /** Invalidates some access points of a layer. With many, look-ups have their turn meanwhile. */
  async invalidateSome(layer: string, bssids: readonly number[]): Promise<void> {
    const views = layer === BASE_LAYER ? [...this.views.values()] : [this.views.peek(layer)]
    let deletions = 0
    for (const view of views)
      for (const bssid of bssids) {
        view?.delete(bssid)
        if (++deletions % DELETIONS_A_TURN === 0) await nextTurn()
      }
  }

  clear(): void {
    this.views.clear()
  }

  private get entries(): number {
    let sum = 0
    for (const { entries } of this.views.values()) sum += entries
    return sum
  }
}
