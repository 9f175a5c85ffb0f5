import { OperationError } from '@bearing/contracts/errors'
import { mistakesOf } from '@bearing/contracts/location/access-points/heard-access-point'
import type { Search } from '../sources/location-source.js'
import { HOW_TO_GET_COVERAGE } from '../how-to-get-coverage.js'
import { sameBox, type SentScan } from '../same-box.js'
import { unreadableEntries } from '../unreadable-entries.js'

/** Returns the error for a scan and cells without a position. */
export function groundFixNotFound(
  { accessPointCounts: accessPoints, cellCounts: cells, wifiFailure }: Search,
  scans: readonly SentScan[],
): OperationError {
  if (cells.usable > 0 || wifiFailure !== 'too_few_usable')
    return new OperationError(
      'location_not_found',
      `Neither the ${String(accessPoints.usable)} usable access points nor the ${String(cells.usable)} usable cells of the request are known well enough. ${HOW_TO_GET_COVERAGE}`,
      { reason: 'too_few_known', accessPoints },
    )
  const mistakes = scans.flatMap((sent) => mistakesOf(sent.accessPoints, sent.pointer))
  const entries = unreadableEntries(mistakes)
  return new OperationError(
    'nothing_usable',
    `The request has neither two different radios of Wi-Fi nor a usable cell.${sameBox(scans)}${entries.sentence}`,
    { reason: wifiFailure, accessPoints, ...entries.details },
  )
}
