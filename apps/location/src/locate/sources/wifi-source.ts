import { setImmediate as nextTurn } from 'node:timers/promises'
import { earlierScans, type EarlierScan } from '@bearing/positioning/following/earlier-scans'
import type { Estimate } from '@bearing/positioning/estimate/estimate'
import { followed, type PastFix } from '@bearing/positioning/following/follow'
import {
  knownByBssid,
  layeredEstimate,
  placesEstimate,
  type KnownOfScan,
  type LayeredOptions,
} from '@bearing/positioning/estimate/layered-estimate'
import type { Scan } from '@bearing/positioning/scans/scan'
import type { Coordinates } from '@bearing/positioning/earth/sphere'
import { deviationOf } from '@bearing/positioning/estimate/uncertainty'
import { UsableNumbers } from '@bearing/positioning/scans/usable-numbers'
import { usableReadings } from '@bearing/positioning/scans/usable-readings'
import type { UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import type { Scope } from '../../ground/scope.js'
import { type AccessPointReader } from '../access-points/access-point-reader.js'
import { type ReferenceScanCache } from '../references/reference-scan-cache.js'
import type { CellArbiter } from './cell-arbiter.js'
import type { FoundPosition, LocatedScan, LocationSource, Search, WifiFailure } from './location-source.js'
import { sentScans } from '../rules/sent-readings.js'
import type { SearchTrace } from './search-trace.js'
import { ranged, type Found, type Made, type Ranged } from './ranging.js'
import type { BaseLayerSearches } from './base-layer-searches.js'

/**
 * Finds the position of a Wi-Fi scan, and follows the device from the scans before. One read at most, and one of cells if they have to
 * decide about a thin scan.
 */
export class WifiSource implements LocationSource {
  readonly name = 'wifi'

  constructor(
    private readonly accessPoints: AccessPointReader,
    private readonly referenceScans: ReferenceScanCache,
    private readonly searches: BaseLayerSearches,
    private readonly arbiter: CellArbiter,
  ) {}

  shouldSearch({ heard }: Search): boolean {
    return heard.accessPoints !== undefined
  }

  searchNow(scope: Scope, scan: UsualScan): LocatedScan | undefined {
    const own = this.referenceScans.cached(scope)
    if (!own) return undefined
    READINGS.read(scan)
    if (this.searches.concern(scope.organization_id, READINGS)) return undefined
    const places = this.accessPoints.places(scope.organization_id, READINGS)
    const found = places && placesEstimate(places, scan)
    if (!found) return undefined
    const { lat, lon, radiusMeters, used } = found
    const [usable, known] = [READINGS.count, found.agreeing.length]
    return {
      lat,
      lon,
      uncertainty: radiusMeters,
      fulfilledWith: 'WIFI',
      accessPoints: { received: scan.received, usable, known, used, unknown: usable - known },
    }
  }

  async search(search: Search): Promise<FoundPosition | undefined> {
    const { scope, heard, confidence } = search
    const { readings, previous } = sentScans(heard)
    const scan = usableReadings(readings, previous)
    const earlier = earlierScans(previous)
    const addresses = earlier.length > 0 ? addressesOf(scan, earlier) : scan
    const [known, own] = await Promise.all([
      this.accessPoints.find(scope.organization_id, addresses.keys()),
      this.referenceScans.of(scope),
    ])
    const allowed = await this.searches.allow(scope.organization_id, scan, known.slice(0, scan.size))
    const { known: usable, isLimited } = allowed
    const options = { ...own, confidence }
    const counts = { received: search.accessPointCounts.received, usable: scan.size }
    search.accessPointCounts = counts
    const first = estimateOf(search, scan, usable, options)
    if (!first.found) search.wifiFailure = failureOf(first.reason, isLimited)
    const { estimate, by } =
      search.usableCells.length > 0
        ? await this.arbitrated(search, scan, usable, options, first)
        : { estimate: first, by: usable }
    if (!estimate.found) return undefined
    search.wifiFailure = undefined
    const fix = rangedFor(search, estimate, { scan, readings, by, options })
    const { radiusMeters: uncertainty, agreeing, used, ranged: of } = fix
    const count = agreeing.length
    search.accessPointCounts = {
      ...{ ...counts, known: count, used, unknown: scan.size - count },
      ...(of !== undefined && { ranged: of }),
    }
    const { lat, lon } =
      earlier.length > 0
        ? await this.follow(scope.organization_id, { ageMs: 0, scan, readings }, earlier, {
            addresses,
            known,
            options,
            by,
          })
        : fix
    return { lat, lon, uncertainty, fulfilledWith: 'WIFI' }
  }

  /** Returns the estimate, and what it was made by, once the cells of the request have decided about a thin scan. */
  private async arbitrated(
    search: Search,
    scan: Scan,
    usable: KnownOfScan,
    options: LayeredOptions,
    first: Estimate,
  ): Promise<{ readonly estimate: Estimate; readonly by: KnownOfScan }> {
    if (first.found) {
      const radiusAt = (confidence: number) =>
        radiusOf(layeredEstimate(scan, usable, { ...options, confidence }))
      if (!(await this.arbiter.refutes(search, first, radiusAt))) return { estimate: first, by: usable }
      search.wifiFailure = 'too_few_known'
      if (search.trace?.wifi)
        search.trace.wifi = { ...search.trace.wifi, agreeing: new Set(), used: new Set() }
      return { estimate: { found: false, reason: 'too_few_known', usable: 1 }, by: usable }
    }
    const left = first.reason === 'too_few_known' ? await this.arbiter.without(search, usable) : undefined
    if (!left) return { estimate: first, by: usable }
    return { estimate: estimateOf(search, scan, left, options, usable), by: left }
  }

  /**
   * Returns where a device is by a scan that has a position and those before it, each located, and counted by
   * {@link BaseLayerSearches}, as a look-up of its own would be.
   */
  private async follow(
    organizationId: string,
    latest: EarlierScan,
    earlier: readonly EarlierScan[],
    { addresses, known, options, by }: Places,
  ): Promise<Coordinates> {
    const indexes = new Map([...addresses.keys()].map((bssid, index) => [bssid, index]))
    const fixes: PastFix[] = []
    const at68 = { ...options, confidence: FIX_CONFIDENCE }
    for (const { ageMs, scan, readings } of [...earlier, latest]) {
      // Other requests have their turn between two scans.
      await nextTurn()
      const of = [...scan.keys()].map((bssid) => known[indexes.get(bssid) ?? -1])
      const knownOf = scan === latest.scan ? by : (await this.searches.allow(organizationId, scan, of)).known
      const estimate = layeredEstimate(scan, knownOf, at68)
      if (!estimate.found) continue
      const { lat, lon, radiusMeters } = ranged(estimate, { scan, readings, by: knownOf, options: at68 })
      const smaller = radiusMeters / estimate.radiusMeters
      fixes.push({ lat, lon, deviationMeters: smaller * deviationOf(estimate.features), ageMs })
    }
    return followed(fixes)
  }
}

/** Of the call that runs: none waits for anything. */
const READINGS = new UsableNumbers()

/** Confidence of the radii that say how much smaller measured distances make the error, in percent. */
const FIX_CONFIDENCE = 68

/** What is known of the addresses of a scan and those before it. */
interface Places {
  readonly addresses: Addresses
  /** In the order of `addresses`. */
  readonly known: KnownOfScan
  readonly options: LayeredOptions
  /** What the latest scan was located by, in its order. */
  readonly by: KnownOfScan
}

type Addresses = Pick<ReadonlySet<number>, 'keys'>

/** Returns the addresses of a scan, then those that only earlier scans have. */
function addressesOf(scan: Scan, earlier: readonly EarlierScan[]): Addresses {
  return new Set([...scan.keys(), ...earlier.flatMap((one) => [...one.scan.keys()])])
}

function failureOf(reason: Extract<Estimate, { found: false }>['reason'], isLimited: boolean): WifiFailure {
  if (reason === 'too_few_usable') return reason
  return isLimited ? 'rate_limited' : 'too_few_known'
}

function radiusOf(estimate: Estimate): number {
  return estimate.found ? estimate.radiusMeters : Infinity
}

/** Returns an estimate with the distances of its scan, and notes its radii. */
function rangedFor({ trace }: Search, estimate: Found, made: Made): Ranged {
  const fix = ranged(estimate, made)
  if (fix.radiusAt) trace?.setRadii(fix.radiusAt)
  return fix
}

/** @param all what is known, if `known` is a part of it */
function estimateOf(
  { trace }: Search,
  scan: Scan,
  known: KnownOfScan,
  options: LayeredOptions,
  all: KnownOfScan = known,
): Estimate {
  return trace ? explained(trace, scan, known, options, all) : layeredEstimate(scan, known, options)
}

/** Returns the same estimate, and notes what it comes from. */
function explained(
  trace: SearchTrace,
  scan: Scan,
  known: KnownOfScan,
  options: LayeredOptions,
  all: KnownOfScan,
): Estimate {
  const explanation = { used: [] as readonly number[] }
  const estimate = layeredEstimate(scan, known, { ...options, explanation })
  const agreeing = estimate.found ? estimate.agreeing : []
  trace.wifi = {
    usable: new Set(scan.keys()),
    known: knownByBssid(scan, all),
    agreeing: new Set(agreeing),
    used: new Set(explanation.used),
  }
  if (estimate.found)
    trace.setRadii((confidence) => {
      const other = layeredEstimate(scan, known, { ...options, confidence })
      return other.found ? other.radiusMeters : estimate.radiusMeters
    })
  return estimate
}
