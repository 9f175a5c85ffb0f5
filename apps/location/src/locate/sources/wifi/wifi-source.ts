import type { Height } from '@bearing/contracts/location/lookups/height'
import type { Estimate } from '@bearing/positioning/estimate/estimate'
import { earlierScans, type EarlierScan } from '@bearing/positioning/following/earlier-scans'
import type { EstimatedHeight } from '@bearing/positioning/earth/height'
import type { Scan } from '@bearing/positioning/scans/scan'
import { usableReadings } from '@bearing/positioning/scans/usable-readings'
import { Injectable } from '@nestjs/common'
import { AccessPointReader } from '../../access-points/access-point-reader.js'
import { CellReader } from '../../cells/cell-reader.js'
import { ReferenceScanCache } from '../../references/reference-scan-cache.js'
import { sentScans } from '../../rules/sent-readings.js'
import { BaseLayerSearches } from '../base-layer-searches.js'
import type { FoundPosition, LocationSource, Search, WifiFailure } from '../location-source.js'
import { Arbitrating } from './arbitrating.js'
import { Explaining } from './explaining.js'
import { Following } from './following.js'
import { Ranging } from './ranging.js'
import { ESTIMATING, type WifiEvidence, type WifiLocator } from './wifi-locator.js'

/** Finds the position of a Wi-Fi scan. One read at most, and one of cells if they have to decide about a thin scan. */
@Injectable()
export class WifiSource implements LocationSource {
  readonly name = 'wifi'
  private readonly locator: WifiLocator

  constructor(
    private readonly accessPoints: AccessPointReader,
    private readonly referenceScans: ReferenceScanCache,
    private readonly searches: BaseLayerSearches,
    cells: CellReader,
  ) {
    const ranging = new Ranging(new Arbitrating(ESTIMATING, cells))
    this.locator = new Explaining(new Following(ranging, searches))
  }

  shouldSearch({ heard }: Search): boolean {
    return heard.accessPoints !== undefined
  }

  async search(search: Search): Promise<FoundPosition | undefined> {
    const { isLimited, ...evidence } = await this.read(search)
    const counts = { received: search.accessPointCounts.received, usable: evidence.scan.size }
    search.accessPointCounts = counts
    const { estimate, ranged, isRefuted } = await this.locator.locate(search, evidence)
    if (!estimate.found) {
      search.wifiFailure = failureOf(estimate.reason, isLimited && !isRefuted)
      return undefined
    }
    const { lat, lon, radiusMeters: uncertainty, agreeing, used, height } = estimate
    const known = agreeing.length
    search.accessPointCounts = {
      ...{ ...counts, known, used, unknown: counts.usable - known },
      ...(ranged !== undefined && { ranged }),
    }
    return { lat, lon, uncertainty, fulfilledWith: 'WIFI', ...sentHeight(height) }
  }

  private async read({
    scope,
    heard,
    confidence,
  }: Search): Promise<WifiEvidence & { readonly isLimited: boolean }> {
    const { readings, previous } = sentScans(heard)
    const scan = usableReadings(readings, previous)
    const earlier = earlierScans(previous)
    const addresses = earlier.length > 0 ? addressesOf(scan, earlier) : scan
    const [known, own] = await Promise.all([
      this.accessPoints.find(scope.organization_id, addresses.keys()),
      this.referenceScans.of(scope),
    ])
    const ofScan = known.slice(0, scan.size)
    const { known: usable, isLimited } = await this.searches.allow(scope.organization_id, scan, ofScan)
    const options = { ...own, confidence }
    return { scan, readings, usable, options, earlier, addresses, known, isLimited }
  }
}

/** Returns a height as answers have it: hundredths of a probability and tenths of a meter. */
function sentHeight(height: EstimatedHeight | undefined): Height {
  const { floor, altitude } = height ?? {}
  return {
    ...(floor && { floor: { name: floor.name, probability: Math.round(floor.probability * 100) / 100 } }),
    ...(altitude && {
      altitude: Math.round(altitude.meters * 10) / 10,
      altitudeAccuracy: Math.round(altitude.accuracyMeters * 10) / 10,
    }),
  }
}

/** Returns the addresses of a scan, then those that only earlier scans have. */
function addressesOf(scan: Scan, earlier: readonly EarlierScan[]): WifiEvidence['addresses'] {
  return new Set([...scan.keys(), ...earlier.flatMap((one) => [...one.scan.keys()])])
}

function failureOf(reason: Extract<Estimate, { found: false }>['reason'], isLimited: boolean): WifiFailure {
  if (reason === 'too_few_usable') return reason
  return isLimited ? 'rate_limited' : 'too_few_known'
}
