import { OperationError } from '@bearing/contracts/errors'
import { mistakesOf } from '@bearing/contracts/location/access-points/heard-access-point'
import type { AccessPointCounts } from '@bearing/contracts/errors/error-details'
import { UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import type { WifiLocation, WifiScan } from '@bearing/contracts/location/lookups/wifi'
import { allGiven, leftOutOf } from '@bearing/contracts/location/access-points/left-out'
import { confidenceOf } from '@bearing/contracts/location/lookups/location-options'
import { BASE_RADIOS } from '@bearing/positioning/estimate/layered-estimate'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { Scope } from '../../ground/scope.js'
import { ResolvedAnswer } from '../../positions/resolved-answer.js'
import { Search, type WifiFailure } from '../sources/location-source.js'
import { Locator } from '../sources/locator.js'
import { HOW_TO_GET_COVERAGE } from '../how-to-get-coverage.js'
import { sameBox, type SentScan } from '../same-box.js'
import { unreadableEntries } from '../unreadable-entries.js'

type Scan = z.output<typeof WifiScan>
type Answer = z.output<typeof WifiLocation> | null

/** Answers Wi-Fi scans: of one request each, or of a batch. */
@Injectable()
export class WifiAnswers {
  constructor(
    private readonly locator: Locator,
    private readonly answer: ResolvedAnswer,
  ) {}

  /** Returns what {@link of} does, if it can be found without waiting. Undefined says nothing. */
  now(scope: Scope, scan: Scan): Answer | undefined {
    return scan instanceof UsualScan ? this.locator.locateNow(scope, scan) : undefined
  }

  /**
   * Returns the position of a scan, stored if the scan names a device; null if no reply is wanted.
   *
   * @throws OperationError `location_not_found`, `too_few_access_points`, `rate_limited`
   */
  async of(scope: Scope, scan: Scan): Promise<Answer> {
    return this.now(scope, scan) ?? this.search(scope, scan)
  }

  private async search(scope: Scope, scan: Scan): Promise<Answer> {
    const accessPoints = scan.accessPoints ?? []
    const { confidence, reply, device_id, config } = scan
    const previousScans = allGiven(scan.previousScans)
    const search = new Search(scope, { accessPoints, previousScans, asksProvider: true }, confidenceOf(scan))
    const position = await this.locator.locate(search)
    const { accessPointCounts: counts, wifiFailure = 'too_few_known' } = search
    if (!position) throw notFound(wifiFailure, counts, { pointer: '/accessPoints', accessPoints })
    const { organization_id, project_id } = scope
    const request = { organization_id, project_id, confidence, reply, device_id, config }
    const leftOut = leftOutOf({ confidence, reply, device_id, previousScans: scan.previousScans })
    return this.answer.of(request, { ...position, fulfilledWith: 'WIFI', accessPoints: counts, ...leftOut })
  }
}

/** Says how many there were and how many are needed, but not which of them are known. */
function notFound(reason: WifiFailure, accessPoints: AccessPointCounts, sent: SentScan): OperationError {
  const usable = `${String(accessPoints.usable)} usable access point${accessPoints.usable === 1 ? '' : 's'}`
  const details = { reason, accessPoints }
  const entries = unreadableEntries(mistakesOf(sent.accessPoints, sent.pointer))
  if (reason === 'too_few_usable')
    return new OperationError(
      'too_few_access_points',
      `The scan has ${usable}. A position needs ${String(BASE_RADIOS)} radios, or one whose place your organization has imported; all addresses of one box are one radio. Group and all-zero addresses, networks that opted out, and readings older than the rest do not count.${sameBox([sent])}${entries.sentence}`,
      { ...details, ...entries.details },
    )
  return new OperationError(
    'location_not_found',
    `Of the ${usable} in the scan, fewer than ${String(BASE_RADIOS)} radios are known to be near each other. ${HOW_TO_GET_COVERAGE}`,
    details,
  )
}
