import { layeredEstimate, type LayeredKnowledge } from '../estimate/layered-estimate.js'
import { DEFAULT_CALIBRATION, shareWithin, type Outcome } from '../estimate/uncertainty.js'
import { compareTrack } from '../learning/evidence/compare-track.js'
import type { Contribution } from '../learning/evidence/contribution.js'
import type { ScanUpdate } from '../learning/evidence/learn.js'
import { learnScans } from '../learning/evidence/learn-scans.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'
import { usableReadings } from '../scans/usable-readings.js'

/** The longest time between a scan and the previous one by which its stale readings are recognized, in seconds. */
const PREVIOUS_SECONDS = 120
/** Confidence of the radii of positions, in percent. */
const CONFIDENCE = 68
/** The confidences that radii are compared at, in percent. */
const CONFIDENCES = Array.from({ length: 50 }, (_, index) => 50 + index)

/** Share of scans whose radius held the truth. */
export interface Coverage {
  /** Expected share, in percent. */
  readonly confidence: number
  /** Actual share, 0 to 1. */
  readonly held: number
}

/** A scan that was located from the others. */
export interface EvaluatedScan extends Coordinates {
  /** Undefined if it got no position. */
  readonly found: EvaluatedFix | undefined
}

/** Position of a scan as Bearing determines it, and its error. */
export interface EvaluatedFix extends Coordinates {
  /** Radius of 68 %, in meters. */
  readonly radiusMeters: number
  readonly errorMeters: number
}

/** Accuracy of scans that were located from the others. */
export interface Evaluation {
  /** Error of each located scan, in meters, the smallest first. */
  readonly errors: Float64Array
  /** The scans, in their order. */
  readonly evaluated: readonly EvaluatedScan[]
  /** For each confidence from 50 to 99 %. Empty if nothing was located. */
  readonly coverage: readonly Coverage[]
}

/**
 * Locates each scan from the others, by the rules of look-ups: what was learned is the organization's own. Scans that follow each other
 * are left out together, in blocks: taken a second apart at one spot, each would be the other's answer.
 *
 * @param contributions scans whose place is known, in the order in which they were taken
 * @param blocks how many; each but the last has the same number of scans
 * @returns after each block how many are done, and in the end the evaluation
 */
export function* evaluate(
  contributions: readonly Contribution[],
  blocks: number,
): Generator<number, Evaluation, undefined> {
  const updates = updatesOf(contributions)
  const size = Math.ceil(contributions.length / blocks)
  const evaluated: EvaluatedScan[] = []
  const outcomes: Outcome[] = []
  let done = 0
  for (let start = 0; start < contributions.length; start += size) {
    const { known, references } = learnScans([...updates.slice(0, start), ...updates.slice(start + size)])
    for (const contribution of contributions.slice(start, start + size)) {
      const scan = usableReadings(contribution.readings)
      const ownOf = Array.from(scan.keys(), (bssid): LayeredKnowledge | undefined => {
        const one = known.get(bssid)
        return one && { known: one, isOwn: true }
      })
      const estimated = layeredEstimate(scan, ownOf, { references, confidence: CONFIDENCE })
      const found = estimated.found ? fixOf(contribution, estimated) : undefined
      const { lat, lon } = contribution
      evaluated.push({ lat, lon, found })
      if (estimated.found && found)
        outcomes.push({ features: estimated.features, errorMeters: found.errorMeters })
    }
    yield ++done
  }
  return summary(evaluated, outcomes)
}

function fixOf(
  scan: Contribution,
  { lat, lon, radiusMeters }: Omit<EvaluatedFix, 'errorMeters'>,
): EvaluatedFix {
  return { lat, lon, radiusMeters, errorMeters: metersBetween({ lat, lon }, scan) }
}

function metersBetween(one: Coordinates, other: Coordinates): number {
  return Math.sqrt(squaredDistance(toVector(one), toVector(other)))
}

/** Scans and what each is compared with, as the service compares a submission: what follows each other is of one device. */
function updatesOf(contributions: readonly Contribution[]): ScanUpdate[] {
  const tracks: Contribution[][] = []
  for (const contribution of contributions) {
    const track = tracks.at(-1)
    const before = track?.at(-1)
    if (track && before && follows(before, contribution)) track.push(contribution)
    else tracks.push([contribution])
  }
  return tracks.flatMap((track) => [...compareTrack(track, undefined, false, Infinity).compared])
}

function summary(evaluated: readonly EvaluatedScan[], outcomes: readonly Outcome[]): Evaluation {
  const errors = Float64Array.from(outcomes, ({ errorMeters }) => errorMeters).sort()
  const coverage = CONFIDENCES.map((confidence) => ({
    confidence,
    held: shareWithin(outcomes, DEFAULT_CALIBRATION, confidence),
  }))
  return { errors, evaluated, coverage: outcomes.length > 0 ? coverage : [] }
}

function follows(before: Contribution, after: Contribution): boolean {
  const seconds = after.atSeconds - before.atSeconds
  return seconds > 0 && seconds <= PREVIOUS_SECONDS
}
