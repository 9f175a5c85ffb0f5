import { readable, type SentAccessPoints } from '@bearing/contracts/location/heard-access-point'
import type { AccessPointCounts } from '@bearing/contracts/location/location'
import { layeredEstimate } from '@bearing/positioning/layered-estimate'
import { usableReadings } from '@bearing/positioning/usable-readings'
import { Injectable } from '@nestjs/common'
import { AccessPointReader } from '../access-points/access-point-reader.js'
import { OwnScansMemory } from '../references/reference-scan-cache.js'
import type { Scope } from '../../ground/scope.js'
import { LocatingRules } from './locating-rules.js'
import { ownAlone, SharedMisses } from './shared-misses.js'

/** Where a scan was taken, or why that cannot be said. */
export type WifiFix =
  | {
      readonly found: true
      readonly lat: number
      readonly lon: number
      readonly uncertainty: number
      readonly accessPoints: Required<AccessPointCounts>
    }
  | {
      readonly found: false
      /**
       * - `too_few_usable`: the scan itself has too few radios.
       * - `too_few_known`: too few of them are known, or they do not agree. Whether one is known is not told, and nor is how
       *   many are: with a scan of one address that would be a way to ask about it.
       * - `rate_limited`: too few are the organization's own, and it has reached the limit of {@link SharedMisses}.
       */
      readonly reason: 'too_few_usable' | 'too_few_known' | 'rate_limited'
      readonly accessPoints: AccessPointCounts
    }

/** Locates Wi-Fi scans by what is known of their access points. */
@Injectable()
export class WifiLocator {
  constructor(
    private readonly accessPoints: AccessPointReader,
    private readonly ownScans: OwnScansMemory,
    private readonly rules: LocatingRules,
    private readonly misses: SharedMisses,
  ) {}

  /**
   * Where a scan was taken. One read at most.
   *
   * @param confidence how often the uncertainty should hold the truth, in per cent: 50 to 99
   */
  async locate(scope: Scope, heard: SentAccessPoints, confidence: number): Promise<WifiFix> {
    const scan = usableReadings(
      readable(heard).map(({ macAddress, signalStrength, ssid, age }) => ({
        bssid: macAddress,
        signalDbm: signalStrength,
        networkName: ssid,
        ageMs: age,
      })),
    )
    const [known, own] = await Promise.all([
      this.accessPoints.find(scope.organization_id, scan.keys()),
      this.ownScans.of(scope),
    ])
    const isLimited = this.misses.isReached(scope.organization_id)
    const options = { ...own, minRadios: this.rules.minRadios, confidence }
    const estimate = layeredEstimate(scan, isLimited ? ownAlone(known) : known, options)
    const counts = { received: heard.length, usable: scan.size }
    if (!estimate.found) {
      if (estimate.reason === 'too_few_usable')
        return { found: false, reason: estimate.reason, accessPoints: counts }
      if (!isLimited) await this.misses.count(scope.organization_id, known)
      return { found: false, reason: isLimited ? 'rate_limited' : 'too_few_known', accessPoints: counts }
    }
    const { lat, lon, radiusMeters: uncertainty, agreeing, used } = estimate
    return { found: true, lat, lon, uncertainty, accessPoints: { ...counts, known: agreeing.length, used } }
  }
}
