import { estimateOf, type EstimateOptions } from '@bearing/positioning/estimate/estimate'
import {
  DEFAULT_CALIBRATION,
  radiusOf,
  type Calibration,
  type Outcome,
} from '@bearing/positioning/estimate/uncertainty'
import { usableReadings } from '@bearing/positioning/scans/usable-readings'
import type { Learned } from '@bearing/positioning/learning/evidence/learn-scans'
import { baselines, type Baseline, type Surveyed } from './baselines.js'
import { learn } from './bearing.js'
import { distanceMeters, quantile } from './flat.js'
import type { Fold, ScanSet, TrueScan } from './scan-set.js'

/** Figures of one estimator on one set. */
export interface Figures {
  readonly scans: number
  /** Share of the scans that got a position, 0 to 1. */
  readonly fixed: number
  readonly medianMeters: number
  readonly p67Meters: number
  readonly p95Meters: number
  /** Share of truths within the radius that a baseline gives, whatever it calls it, or Bearing's of 68 %; 0 to 1. */
  readonly within: number
  readonly errors: readonly number[]
}

/** Results of Bearing on one set: with each fix the origin of its radius, so that calibrations can be compared. */
export interface Judged {
  readonly set: ScanSet
  readonly bearing: Figures
  readonly outcomes: readonly Outcome[]
  readonly others: ReadonlyMap<string, Figures>
}

/** As the service locates by what an organization has contributed itself: where only one radio is known, that is enough. */
const OPTIONS = { minRadios: 1, confidence: 68 }

/**
 * Runs every estimator over a set.
 *
 * @param changed where what was learned is to be changed before it is asked; then Bearing alone is run
 */
export function judge(set: ScanSet, changed?: (learned: Learned) => Learned): Judged {
  const outcomes: Outcome[] = []
  const others = new Map<string, Tally>()
  let scans = 0
  for (const { train, test } of set.folds) {
    const known = learn(train, set.hasWalks)
    const learned = changed ? changed(known) : known
    const rivals = changed ? [] : Object.entries(baselines(train.map(surveyed)))
    for (const scan of test.filter(isEligible)) {
      scans++
      outcomes.push(...outcomeOf(scan, learned))
      for (const [name, locator] of rivals) tallyOf(others, name).add(scan, locator)
    }
  }
  const errors = outcomes.map(({ errorMeters }) => errorMeters)
  return {
    set,
    bearing: figuresOf(errors, scans, held(outcomes, DEFAULT_CALIBRATION, 68)),
    outcomes,
    others: new Map([...others].map(([name, tally]) => [name, tally.figures(scans)])),
  }
}

function surveyed({ accessPoints: readings, ...scan }: TrueScan): Surveyed {
  return { ...scan, readings }
}

/** Returns true if a scan has at least two access points, which any estimator needs. */
export function isEligible({ accessPoints }: TrueScan): boolean {
  return new Set(accessPoints.map(({ bssid }) => bssid)).size >= 2
}

/** The error of an estimate, if there was one. */
export function outcomeOf(
  scan: TrueScan,
  { known, references }: Learned,
  options: EstimateOptions = OPTIONS,
): Outcome[] {
  const found = estimateOf(usableReadings(scan.accessPoints), known, { references, ...options })
  return found.found ? [{ features: found.features, errorMeters: distanceMeters(found, scan) }] : []
}

/** Share of truths that are within the radius of a calibration, 0 to 1. */
export function held(outcomes: readonly Outcome[], calibration: Calibration, confidence: number): number {
  const within = outcomes.filter(
    ({ features, errorMeters }) => errorMeters <= radiusOf(features, calibration, confidence),
  )
  return within.length / outcomes.length
}

/** Errors and radii of a baseline. */
class Tally {
  private readonly errors: number[] = []
  private within = 0

  add(scan: TrueScan, locate: Baseline): void {
    const fix = locate(scan.accessPoints)
    if (!fix) return
    const error = distanceMeters(fix, scan)
    this.errors.push(error)
    if (error <= fix.radiusMeters) this.within++
  }

  figures(scans: number): Figures {
    return figuresOf(this.errors, scans, this.within / this.errors.length)
  }
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? new Tally()
  tallies.set(name, tally)
  return tally
}

function figuresOf(errors: readonly number[], scans: number, within: number): Figures {
  return {
    scans,
    fixed: errors.length / scans,
    medianMeters: quantile(errors, 0.5),
    p67Meters: quantile(errors, 0.67),
    p95Meters: quantile(errors, 0.95),
    within,
    errors,
  }
}

/** Asks with every n-th held-out scan only, for trying things out. */
export function thinned({ train, test }: Fold, every: number): Fold {
  return { train, test: test.filter((_, index) => index % every === 0) }
}
