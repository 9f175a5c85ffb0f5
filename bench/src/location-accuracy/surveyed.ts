import type { Knowledge } from '@bearing/positioning/access-point-model'
import { leaveOut } from '@bearing/positioning/leave-out'
import { ownCalibration } from '@bearing/positioning/own-calibration'
import { ReferenceScans } from '@bearing/positioning/reference-scans'
import type { Learned } from '@bearing/positioning/learning/learn-scans'
import type { Calibration } from '@bearing/positioning/uncertainty'
import { updatesOf } from './bearing.js'
import type { ScanSet } from './scan-set.js'

/** As the service does it. */
const BLOCKS = 10
const MOST_LOCATED = 2_000
/** Reference scans are not less exact than this, in meters. */
const MOST_ACCURACY_METERS = 25

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

/**
 * The coefficients that an organization gets of its own that contributed what a set is learned from: by leaving out a tenth
 * of it at a time, in the order of the file. None of the scans that are asked with take part.
 *
 * @returns of the first fold; undefined where those that Bearing comes with are kept
 */
export function surveyedCalibration({ folds: [fold], hasWalks = false }: ScanSet): Calibration | undefined {
  const scans = updatesOf(fold?.train ?? [], hasWalks).flatMap(({ contribution, update }, index) =>
    update.accepted && contribution.accuracyMeters <= MOST_ACCURACY_METERS
      ? [
          {
            ...contribution,
            project: '',
            // Times of some sets restart with each trial.
            atSeconds: hasWalks ? contribution.atSeconds : index,
            readings: update.readings,
          },
        ]
      : [],
  )
  return ownCalibration(leaveOut(scans, BLOCKS, MOST_LOCATED)).calibration
}
