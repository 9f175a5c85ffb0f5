import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Coordinates } from '@bearing/positioning/earth/sphere'
import { layeredEstimate, type KnownOfScan } from '@bearing/positioning/estimate/layered-estimate'
import { deviationOf } from '@bearing/positioning/estimate/uncertainty'
import type { EstimatedHeight } from '@bearing/positioning/earth/height'
import { steadyFloor, type PastFloor } from '@bearing/positioning/heights/steady-floor'
import { followed, type PastFix } from '@bearing/positioning/following/follow'
import type { BaseLayerSearches } from '../base-layer-searches.js'
import type { Search } from '../location-source.js'
import { ranged } from './ranging.js'
import type { LocatedWifi, WifiEvidence, WifiLocator } from './wifi-locator.js'

/** Confidence of the radii that say how much smaller measured distances make the error, in percent. */
const FIX_CONFIDENCE = 68

/** Moves a position to where a device is by the scans before it as well, and keeps its floor steady. The radius stays. */
export class Following implements WifiLocator {
  constructor(
    private readonly inner: WifiLocator,
    private readonly searches: BaseLayerSearches,
  ) {}

  locate(search: Search, evidence: WifiEvidence): Promise<LocatedWifi> {
    const located = this.inner.locate(search, evidence)
    return evidence.earlier.length === 0
      ? located
      : this.moved(search.scope.organization_id, evidence, located)
  }

  private async moved(
    organizationId: string,
    evidence: WifiEvidence,
    found: Promise<LocatedWifi>,
  ): Promise<LocatedWifi> {
    const located = await found
    const { estimate, by } = located
    if (!estimate.found) return located
    const { lat, lon, floor } = await this.follow(organizationId, evidence, by)
    const height = { ...estimate.height, floor }
    return { ...located, estimate: { ...estimate, lat, lon, height } }
  }

  /**
   * Locates each scan, and counts it by {@link BaseLayerSearches}, as a look-up of its own would be.
   *
   * @param by what the latest scan was located by, in its order
   */
  private async follow(
    organizationId: string,
    { scan: latest, readings: sent, earlier, addresses, known, options }: WifiEvidence,
    by: KnownOfScan,
  ): Promise<Coordinates & Pick<EstimatedHeight, 'floor'>> {
    const indexes = new Map([...addresses.keys()].map((bssid, index) => [bssid, index]))
    const fixes: PastFix[] = []
    const floors: PastFloor[] = []
    const at68 = { ...options, confidence: FIX_CONFIDENCE }
    for (const { ageMs, scan, readings } of [...earlier, { ageMs: 0, scan: latest, readings: sent }]) {
      // Other requests have their turn between two scans.
      await nextTurn()
      const of = [...scan.keys()].map((bssid) => known[indexes.get(bssid) ?? -1])
      const knownOf = scan === latest ? by : (await this.searches.allow(organizationId, scan, of)).known
      const estimate = layeredEstimate(scan, knownOf, at68)
      floors.push({ floor: estimate.found ? estimate.height?.floor : undefined, ageMs })
      if (!estimate.found) continue
      const { lat, lon, radiusMeters } = ranged(estimate, { scan, readings, by: knownOf, options: at68 })
      const smaller = radiusMeters / estimate.radiusMeters
      fixes.push({ lat, lon, deviationMeters: smaller * deviationOf(estimate.features), ageMs })
    }
    return { ...followed(fixes), floor: steadyFloor(floors) }
  }
}
