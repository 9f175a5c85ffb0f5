import type { Estimate, EstimateOptions } from '@bearing/positioning/estimate'
import { knownByBssid, layeredEstimate, type KnownOfScan } from '@bearing/positioning/layered-estimate'
import type { Scan } from '@bearing/positioning/scan'
import { usableReadings } from '@bearing/positioning/usable-readings'
import { type AccessPointReader } from '../access-points/access-point-reader.js'
import { type ReferenceScanCache } from '../references/reference-scan-cache.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'
import { previousScans, sentReadings } from '../rules/sent-readings.js'
import type { SearchTrace } from './search-trace.js'
import { ownAlone, type SharedMisses } from './shared-misses.js'

/** Finds the position of a Wi-Fi scan. One read at most. */
export class WifiSource implements LocationSource {
  readonly name = 'wifi'

  /** @param minRadios radios that a scan needs, and that must be known and agree unless they are the organization's own */
  constructor(
    private readonly accessPoints: AccessPointReader,
    private readonly referenceScans: ReferenceScanCache,
    private readonly misses: SharedMisses,
    readonly minRadios: number,
  ) {}

  shouldSearch({ heard }: Search): boolean {
    return heard.accessPoints !== undefined
  }

  async search(search: Search): Promise<FoundPosition | undefined> {
    const { scope, heard, confidence } = search
    const scan = usableReadings(sentReadings(heard.accessPoints ?? []), previousScans(heard.previousScans))
    const [known, own] = await Promise.all([
      this.accessPoints.find(scope.organization_id, scan.keys()),
      this.referenceScans.of(scope),
    ])
    const isLimited = this.misses.isReached(scope.organization_id)
    const options = { ...own, minRadios: this.minRadios, confidence }
    const usable = isLimited ? ownAlone(known) : known
    const estimate = search.trace
      ? explained(search.trace, scan, usable, options)
      : layeredEstimate(scan, usable, options)
    const counts = { received: search.accessPointCounts.received, usable: scan.size }
    search.accessPointCounts = counts
    if (!estimate.found) {
      if (estimate.reason === 'too_few_usable') search.wifiFailure = estimate.reason
      else {
        if (!isLimited) await this.misses.count(scope.organization_id, scan, known)
        search.wifiFailure = isLimited ? 'rate_limited' : 'too_few_known'
      }
      return undefined
    }
    const { lat, lon, radiusMeters: uncertainty, agreeing, used } = estimate
    search.accessPointCounts = { ...counts, known: agreeing.length, used }
    return { lat, lon, uncertainty, fulfilledWith: 'WIFI' }
  }
}

/** Returns the same estimate, and notes what it comes from. */
function explained(trace: SearchTrace, scan: Scan, known: KnownOfScan, options: EstimateOptions): Estimate {
  const explanation = { used: [] as readonly number[] }
  const estimate = layeredEstimate(scan, known, { ...options, explanation })
  const agreeing = estimate.found ? estimate.agreeing : []
  trace.wifi = {
    usable: new Set(scan.keys()),
    known: knownByBssid(scan, known),
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
