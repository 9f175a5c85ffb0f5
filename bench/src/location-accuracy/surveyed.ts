import type { Knowledge } from '@bearing/positioning/access-points/access-point-model'
import { leaveOut } from '@bearing/positioning/calibration/leave-out'
import { ownCalibration } from '@bearing/positioning/calibration/own-calibration'
import { ReferenceScans } from '@bearing/positioning/references/reference-scans'
import type { Learned } from '@bearing/positioning/learning/learn-scans'
import type { Calibration } from '@bearing/positioning/estimate/uncertainty'
import { updatesOf } from './bearing.js'
import type { TrueScan } from './scan-set.js'

/** As the service does it. */
const BLOCKS = 10
const MOST_LOCATED = 2_000
/** Reference scans are not less exact than this, in meters. */
export const MOST_ACCURACY_METERS = 25

/** What was learned, without reference scans: as where the positions of devices are too rough, or others contributed it. */
export function withoutReferences({ known }: Learned): Learned {
  return { known, references: ReferenceScans.of([]) }
}

/** What an import of positions leaves of what was learned. */
export function positionsAlone({ known }: Learned): Learned {
  const positions = new Map<number, Knowledge>(
    [...known].map(([bssid, { lat, lon, spreadMeters, observations }]) => [
      bssid,
      { lat, lon, spreadMeters, observations },
    ]),
  )
  return { known: positions, references: ReferenceScans.of([]) }
}

/** Between the walks of sets whose times start at zero in each walk, in seconds. */
const PAUSE_SECONDS = 1_000

/**
 * Returns the coefficients that an organization gets of its own that contributed scans, by leaving out up to a tenth at a time.
 * None of the scans that are asked with take part.
 *
 * @returns undefined if the shipped ones are kept
 */
export function surveyedCalibration(train: readonly TrueScan[], hasWalks = false): Calibration | undefined {
  const walks = new Map([...new Set(train.map(({ track }) => track))].map((track, index) => [track, index]))
  const scans = updatesOf(train, hasWalks).flatMap(({ contribution, update }, index) => {
    if (!update.accepted || contribution.accuracyMeters > MOST_ACCURACY_METERS) return []
    const walk = walks.get(train[index]?.track ?? '') ?? 0
    const atSeconds = hasWalks ? contribution.atSeconds : PAUSE_SECONDS * walk + index
    return [{ ...contribution, project: '', atSeconds, readings: update.readings }]
  })
  return ownCalibration(leaveOut(scans, BLOCKS, MOST_LOCATED)).calibration
}
