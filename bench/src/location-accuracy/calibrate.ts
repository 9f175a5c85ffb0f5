import {
  DEFAULT_CALIBRATION,
  fit,
  refit,
  type Calibration,
  type Outcome,
} from '@bearing/positioning/uncertainty'
import { predicted } from '@bearing/positioning/quantile-regression'
import { quantile } from './flat.js'
import { held, type Judged } from './judge.js'
import { surveyedCalibration } from './surveyed.js'

/** Shares of truths within the 68 % and the 95 % radius. */
export interface Held {
  readonly p68: number
  readonly p95: number
}

/** How a set's radii do with coefficients from different scans. */
export interface CalibrationFigures {
  /** Fitted to the other places, none of whose scans are judged. */
  readonly leftOut: Held
  /** The coefficients in the code, fitted to all places. */
  readonly shipped: Held
  /** Of an organization that contributed what the set is learned from, and nothing else. */
  readonly surveyed: Held
  /** Of an organization that contributed every other of these scans; judged by those between. */
  readonly refitted: Held
}

/** What a fit to several sets starts from, and for how many outcomes that counts: hardly any. */
const START: Calibration = { p68: [1, 0.3, 0.3, 0.3, 0, -1, 0, 0], p95: [2, 0.3, 0.3, 0.3, 0, -1, 0, 0] }
const START_OUTCOMES = 5
/** Outcomes that a set counts as, whatever its size, so that the largest does not decide. */
const OUTCOMES_OF_A_SET = 700

/** The place of the feature that is 1 where there was no reference scan to compare with. */
const UNCOMPARED = 7

/**
 * Coefficients fitted to sets, each counting the same. What had no reference scans to compare with says by what factor radii
 * differ there, and nothing else: it must not bend the rest.
 */
export function fitTo(sets: readonly Judged[]): Calibration {
  const outcomes = sets.flatMap((set) => sampled(set.outcomes))
  const isCompared = ({ features }: Outcome) => features[UNCOMPARED] === 0
  const { p68, p95 } = fit(outcomes.filter(isCompared), START, START_OUTCOMES)
  const rest = outcomes.filter((outcome) => !isCompared(outcome))
  const withFactor = (coefficients: readonly number[], share: number) => {
    const beyond = rest.map(
      ({ features, errorMeters }) => Math.log(Math.max(1, errorMeters)) - predicted(coefficients, features),
    )
    return coefficients.with(UNCOMPARED, rest.length > 0 ? quantile(beyond, share) : 0)
  }
  return { p68: withFactor(p68, 0.68), p95: withFactor(p95, 0.95) }
}

function sampled(outcomes: readonly Outcome[]): Outcome[] {
  return Array.from(
    { length: Math.min(outcomes.length, OUTCOMES_OF_A_SET) },
    (_, index) =>
      outcomes[Math.floor((index * outcomes.length) / Math.min(outcomes.length, OUTCOMES_OF_A_SET))],
  ).filter((outcome) => outcome !== undefined)
}

/** Judges the radii of what was estimated otherwise of a set, without a fit of its own. */
export function leftOutOf({ outcomes, set }: Judged, all: readonly Judged[]): Held {
  return heldBy(outcomes, fitTo(all.filter((other) => other.set.group !== set.group)))
}

/** Judges the radii of a set. */
export function calibrationOf(judged: Judged, all: readonly Judged[]): CalibrationFigures {
  const { outcomes, set } = judged
  const leftOut = fitTo(all.filter((other) => other.set.group !== set.group))
  const half = (rest: number) => outcomes.filter((_, index) => index % 2 === rest)
  return {
    leftOut: heldBy(outcomes, leftOut),
    shipped: heldBy(outcomes, DEFAULT_CALIBRATION),
    surveyed: heldBy(outcomes, surveyedCalibration(set) ?? DEFAULT_CALIBRATION),
    refitted: heldBy(half(1), refit(half(0), leftOut)),
  }
}

function heldBy(outcomes: readonly Outcome[], calibration: Calibration): Held {
  return { p68: held(outcomes, calibration, 68), p95: held(outcomes, calibration, 95) }
}
