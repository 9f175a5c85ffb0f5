import type { AccessPointCounts } from '@bearing/contracts/errors/error-details'
import type { UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import { placesEstimate } from '@bearing/positioning/estimate/layered-estimate'
import { UsableNumbers } from '@bearing/positioning/scans/usable-numbers'
import { Injectable } from '@nestjs/common'
import type { Scope } from '../../ground/scope.js'
import { AccessPointReader } from '../access-points/access-point-reader.js'
import { ReferenceScanCache } from '../references/reference-scan-cache.js'
import { BaseLayerSearches } from '../sources/base-layer-searches.js'
import type { FoundPosition } from '../sources/location-source.js'

/** A position, and what it was found with. */
export interface LocatedScan extends FoundPosition {
  readonly fulfilledWith: 'WIFI'
  readonly accessPoints: AccessPointCounts
}

/** Of the call that runs: none waits for anything. */
const READINGS = new UsableNumbers()

/**
 * Locates scans of which everything is cached and nothing but positions is known, without waiting: by numbers, because objects cost
 * several times as much. Its positions are those of `WifiSource`; what it does not find, that source decides.
 */
@Injectable()
export class FastPath {
  constructor(
    private readonly accessPoints: AccessPointReader,
    private readonly referenceScans: ReferenceScanCache,
    private readonly searches: BaseLayerSearches,
  ) {}

  /** @returns undefined if it cannot be found this way, which says nothing */
  locate(scope: Scope, scan: UsualScan): LocatedScan | undefined {
    if (!this.referenceScans.cached(scope)) return undefined
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
}
