import { baselines } from './baselines.js'
import { estimate } from '../estimate/estimate.js'
import { compareTrack } from '../learning/compare-track.js'
import type { Contribution } from '../learning/contribution.js'
import type { ScanUpdate } from '../learning/learn.js'
import { learnScans } from '../learning/learn-scans.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'
import { DEFAULT_CALIBRATION, shareWithin, type Outcome } from '../estimate/uncertainty.js'

/** The longest time between a scan and the previous one by which its stale readings are recognized, in seconds. */
const PREVIOUS_SECONDS = 120
const OPTIONS = { minRadios: 2, confidence: 68 }
/** The confidences that radii are compared at, in percent. */
const CONFIDENCES = Array.from({ length: 50 }, (_, index) => 50 + index)

/** Estimators of {@link baselines} that Bearing is compared with. */
const OTHERS = ['ichnaea', 'centroid'] as const
type Other = (typeof OTHERS)[number]

/** How often a radius held the truth. */
export interface Coverage {
  /** How often it should, in percent. */
  readonly confidence: number
  /** How often it did, 0 to 1. */
  readonly held: number
}

/** A scan that was located from the others. */
export interface EvaluatedScan extends Coordinates {
  /** Undefined if it got no position. */
  readonly found: EvaluatedFix | undefined
}

/** Where Bearing says that a scan was taken, and how far that is off. */
export interface EvaluatedFix extends Coordinates {
  /** Radius of 68 %, in meters. */
  readonly radiusMeters: number
  readonly errorMeters: number
}

/** How well scans were located from the others. */
export interface Evaluation {
  /** Scans that contain at least two access points, which every estimate needs. */
  readonly scans: number
  /** Those that got a position. */
  readonly fixed: number
  /** How far off each was, in meters, the smallest first. */
  readonly errors: Float64Array
  /** The scans, in their order. */
  readonly evaluated: readonly EvaluatedScan[]
  /** Errors of other estimators that know the same, as `errors`. */
  readonly others: Readonly<Record<Other, Float64Array>>
  /** For each confidence from 50 to 99 %. Empty where nothing was located. */
  readonly coverage: readonly Coverage[]
}

/**
 * Locates each scan from the others. Scans that follow each other are left out together, in blocks: taken a second apart at
 * one spot, each would be the other's answer.
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
  const others: Record<Other, number[]> = { ichnaea: [], centroid: [] }
  for (let start = 0; start < contributions.length; start += size) {
    const withoutBlock = <Item>(all: readonly Item[]) => [...all.slice(0, start), ...all.slice(start + size)]
    const { known, references } = learnScans(withoutBlock(updates))
    const rivals = baselines(withoutBlock(contributions))
    for (const scan of contributions.slice(start, start + size).filter(isEligible)) {
      const estimated = estimate(scan.readings, known, { references, ...OPTIONS })
      const found = estimated.found ? fixOf(scan, estimated) : undefined
      const { lat, lon } = scan
      evaluated.push({ lat, lon, found })
      if (estimated.found && found)
        outcomes.push({ features: estimated.features, errorMeters: found.errorMeters })
      for (const name of OTHERS) {
        const other = rivals[name](scan.readings)
        if (other) others[name].push(metersBetween(other, scan))
      }
    }
    yield ++done
  }
  return summary(evaluated, outcomes, others)
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

function summary(
  evaluated: readonly EvaluatedScan[],
  all: readonly Outcome[],
  { ichnaea, centroid }: Readonly<Record<Other, readonly number[]>>,
): Evaluation {
  const scans = evaluated.length
  const errors = sorted(all.map(({ errorMeters }) => errorMeters))
  const others = { ichnaea: sorted(ichnaea), centroid: sorted(centroid) }
  if (all.length === 0) return { scans, fixed: 0, errors, evaluated, others, coverage: [] }
  const coverage = CONFIDENCES.map((confidence) => ({
    confidence,
    held: shareWithin(all, DEFAULT_CALIBRATION, confidence),
  }))
  return { scans, fixed: all.length, errors, evaluated, others, coverage }
}

function sorted(errors: readonly number[]): Float64Array {
  return Float64Array.from(errors).sort()
}

function follows(before: Contribution, after: Contribution): boolean {
  const seconds = after.atSeconds - before.atSeconds
  return seconds > 0 && seconds <= PREVIOUS_SECONDS
}

function isEligible({ readings }: Contribution): boolean {
  return new Set(readings.map(({ bssid }) => bssid)).size >= 2
}
