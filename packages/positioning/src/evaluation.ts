import { estimate } from './estimate.js'
import { compareTrack } from './learning/compare-track.js'
import type { Contribution } from './learning/contribution.js'
import type { ScanUpdate } from './learning/learn.js'
import { learnScans } from './learning/learn-scans.js'
import { squaredDistance, toVector } from './sphere.js'
import { DEFAULT_CALIBRATION, refit, shareWithin, type Calibration, type Outcome } from './uncertainty.js'

/** The longest time between a scan and the previous one by which its stale readings are recognized, in seconds. */
const PREVIOUS_SECONDS = 120
const OPTIONS = { minRadios: 2, confidence: 68 }
/** The confidences that radii are compared at, in percent. */
const CONFIDENCES = Array.from({ length: 50 }, (_, index) => 50 + index)

/** How often a radius held the truth. */
export interface Coverage {
  /** How often it should, in percent. */
  readonly confidence: number
  /** How often it did, 0 to 1: with the coefficients that Bearing comes with … */
  readonly held: number
  /** … and refitted to every other block; undefined where those are too few for that. */
  readonly heldRefitted: number | undefined
}

/** How well scans were located from the others. */
export interface Evaluation {
  /** Scans that contain at least two access points, which every estimate needs. */
  readonly scans: number
  /** Those that got a position. */
  readonly fixed: number
  /** How far off each was, in meters, the smallest first. */
  readonly errors: Float64Array
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
  const outcomes: Outcome[][] = []
  let scans = 0
  for (let start = 0; start < contributions.length; start += size) {
    const { known, references } = learnScans([...updates.slice(0, start), ...updates.slice(start + size)])
    const asked = contributions.slice(start, start + size).filter(isEligible)
    scans += asked.length
    outcomes.push(
      asked.flatMap((scan): Outcome[] => {
        const found = estimate(scan.readings, known, { references, ...OPTIONS })
        if (!found.found || !found.features) return []
        const errorMeters = Math.sqrt(squaredDistance(toVector(found), toVector(scan)))
        return [{ features: found.features, errorMeters }]
      }),
    )
    yield outcomes.length
  }
  return summary(scans, outcomes)
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

function summary(scans: number, blocks: readonly (readonly Outcome[])[]): Evaluation {
  const all = blocks.flat()
  const errors = Float64Array.from(all, ({ errorMeters }) => errorMeters).sort()
  if (all.length === 0) return { scans, fixed: 0, errors, coverage: [] }
  // Every other block is judged by what the rest was fitted to: fitting takes longer than everything else.
  const fits = [1, 0].map((half) => refit(blocks.filter((_, block) => block % 2 === half).flat()))
  const isRefitted = fits.some((fit) => fit !== DEFAULT_CALIBRATION)
  const share = (confidence: number, calibrationOf: (block: number) => Calibration) =>
    blocks.reduce(
      (sum, block, index) => sum + block.length * shareWithin(block, calibrationOf(index), confidence),
      0,
    ) / all.length
  const coverage = CONFIDENCES.map((confidence) => ({
    confidence,
    held: share(confidence, () => DEFAULT_CALIBRATION),
    heldRefitted: isRefitted
      ? share(confidence, (block) => fits[block % 2] ?? DEFAULT_CALIBRATION)
      : undefined,
  }))
  return { scans, fixed: all.length, errors, coverage }
}

function follows(before: Contribution, after: Contribution): boolean {
  const seconds = after.atSeconds - before.atSeconds
  return seconds > 0 && seconds <= PREVIOUS_SECONDS
}

function isEligible({ readings }: Contribution): boolean {
  return new Set(readings.map(({ bssid }) => bssid)).size >= 2
}
