import { setImmediate as nextTurn } from 'node:timers/promises'
import { layeredKnowledge, type LayerRecord } from '@bearing/positioning/learning/layers/layered-knowledge'
import {
  KnownPlaces,
  type KnownOfScan,
  type LayeredKnowledge,
} from '@bearing/positioning/estimate/layered-estimate'
import type { UsableNumbers } from '@bearing/positioning/scans/usable-numbers'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { ReadPool } from '../../ground/read-pool.js'
import { ACCESS_POINT } from '../../ground/stations/access-point.js'
import { learnedIn, readStations, type LayerRows } from '../known-stations.js'
import { AccessPointCache } from './access-point-cache.js'
import type { AccessPointTable } from './table/access-point-table.js'
import { BatchedReads } from './batched-reads.js'
import { UNKNOWN } from './table/table-shard.js'

/** Models that are made in one turn of the event loop: below a millisecond. */
const MODELS_A_TURN = 8

/** Of the call that runs: none waits for anything. */
const PLACES = new KnownPlaces()
const PLACE = { lat: 0, lon: 0, spreadMeters: 0, observations: 0 }

/** The cache as a look-up has found it. */
interface Asked {
  readonly view: AccessPointTable
  readonly checked: number | undefined
  readonly nowMs: number
}

/** Result of a read of access points. */
interface Read {
  readonly known: ReadonlyMap<number, LayeredKnowledge>
  /** Those of which the organization has learned something. */
  readonly learned: ReadonlySet<number>
}

/** Finds what an organization and the base layer know of access points. */
@Injectable()
export class AccessPointReader {
  private readonly reads = new BatchedReads((organizationId, bssids) => this.read(organizationId, bssids))

  constructor(
    private readonly pool: ReadPool,
    private readonly cache: AccessPointCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what is known of some access points, in their order. Reads from the database at most once, for those that are not cached,
   * together with other scans of the same turn.
   *
   * @param bssids each once
   * @throws the driver's error if the database does not answer in time
   */
  async find(organizationId: string, bssids: Iterable<number>): Promise<KnownOfScan> {
    const id = organizationId.toLowerCase()
    const view = this.cache.view(id)
    const nowMs = this.clock.nowMs()
    const { checked } = this.cache
    const known: (LayeredKnowledge | undefined)[] = []
    const missing: { readonly bssid: number; readonly index: number }[] = []
    for (const bssid of bssids) {
      const found = view.get(bssid, nowMs)
      if (found === undefined) missing.push({ bssid, index: known.length })
      known.push(found === UNKNOWN ? undefined : found)
    }
    this.cache.count(known.length - missing.length, missing.length)
    if (missing.length === 0) return known
    const read = await this.reads.of(
      id,
      missing.map(({ bssid }) => bssid),
    )
    for (const { bssid, index } of missing) known[index] = read.known.get(bssid)
    this.keep(
      { view, checked, nowMs },
      read,
      missing.map(({ bssid }) => bssid),
    )
    return known
  }

  /**
   * Returns what {@link find} does, without waiting: valid until the next call.
   *
   * @returns undefined if some are not cached, or more than a position is known of one
   */
  places(organizationId: string, { bssids, signals, count }: UsableNumbers): KnownPlaces | undefined {
    const view = this.cache.view(organizationId.toLowerCase())
    const nowMs = this.clock.nowMs()
    PLACES.clear()
    for (let index = 0; index < count; index++) {
      const bssid = bssids[index] ?? 0
      const kind = view.readPlace(bssid, nowMs, PLACE)
      if (kind === undefined || kind === 'more') return undefined
      if (kind === 'unknown') PLACES.addUnknown()
      else PLACES.add(bssid, signals[index] ?? 0, PLACE, kind === 'own')
    }
    this.cache.count(count, 0)
    return PLACES
  }

  /**
   * Reads access points that are not cached, so that {@link find} finds them: one read for several scans.
   *
   * @throws as {@link find}
   */
  async prefetch(organizationId: string, bssids: Iterable<number>): Promise<void> {
    const id = organizationId.toLowerCase()
    const view = this.cache.view(id)
    const nowMs = this.clock.nowMs()
    const { checked } = this.cache
    const missing = new Set<number>()
    for (const bssid of bssids) if (!view.has(bssid, nowMs)) missing.add(bssid)
    if (missing.size === 0) return
    const read = await this.reads.of(id, [...missing])
    this.keep({ view, checked, nowMs }, read, missing)
  }

  /** Caches what was read. */
  private keep({ view, checked, nowMs }: Asked, read: Read, bssids: Iterable<number>): void {
    const areChecked = checked !== undefined && checked === this.cache.checked
    for (const bssid of bssids) {
      const isChecked = areChecked && !read.learned.has(bssid)
      view.set(bssid, read.known.get(bssid) ?? UNKNOWN, nowMs, isChecked)
    }
    this.cache.shrink()
  }

  private async read(id: string, bssids: readonly number[]): Promise<Read> {
    const stations = await readStations(this.pool, ACCESS_POINT, id, bssids)
    const known = new Map<number, LayeredKnowledge>()
    const learned = new Set<number>()
    let models = 0
    for (const { key: bssid, own, base } of stations) {
      const knowledge = layeredKnowledge(recordOf(own), recordOf(base))
      if (knowledge) known.set(bssid, knowledge)
      if (!own.statistics) continue
      learned.add(bssid)
      models++
      if (models < MODELS_A_TURN) continue
      models = 0
      await nextTurn()
    }
    return { known, learned }
  }
}

/** Returns what a layer alone says of an access point. */
export function recordOf(rows: LayerRows<typeof ACCESS_POINT.importedColumns>): LayerRecord {
  const learned = learnedIn(ACCESS_POINT, rows)
  if (!rows.imported) return learned
  const [lat, lon, spreadMeters, observations, isDeclared] = rows.imported
  return { ...learned, place: { lat, lon, spreadMeters, observations, isDeclared } }
}
