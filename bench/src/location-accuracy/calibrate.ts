import {
  DEFAULT_CALIBRATION,
  fit,
  refit,
  type Calibration,
  type Outcome,
} from '@bearing/positioning/uncertainty'
import { held, type Judged } from './judge.js'

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
  /** Of an organization that contributed every other of these scans; judged by those between. */
  readonly refitted: Held
}

/** What a fit to several sets starts from, and for how many outcomes that counts: hardly any. */
const START: Calibration = { p68: [1, 0.3, 0.3, 0.3, 0, -1, 0], p95: [2, 0.3, 0.3, 0.3, 0, -1, 0] }
const START_OUTCOMES = 5
/** Outcomes that a set counts as, whatever its size, so that the largest does not decide. */
const OUTCOMES_OF_A_SET = 700

/** Coefficients fitted to sets, each counting the same. */
export function fitTo(sets: readonly Judged[]): Calibration {
  return fit(
    sets.flatMap(({ outcomes }) => sampled(outcomes)),
    START,
    START_OUTCOMES,
  )
}

function sampled(outcomes: readonly Outcome[]): Outcome[] {
  return Array.from(
    { length: Math.min(outcomes.length, OUTCOMES_OF_A_SET) },
    (_, index) =>
      outcomes[Math.floor((index * outcomes.length) / Math.min(outcomes.length, OUTCOMES_OF_A_SET))],
  ).filter((outcome) => outcome !== undefined)
}

/** Judges the radii of a set. */
export function calibrationOf(judged: Judged, all: readonly Judged[]): CalibrationFigures {
  const { outcomes, set } = judged
  const leftOut = fitTo(all.filter((other) => other.set.group !== set.group))
  const half = (rest: number) => outcomes.filter((_, index) => index % 2 === rest)
  return {
    leftOut: heldBy(outcomes, leftOut),
    shipped: heldBy(outcomes, DEFAULT_CALIBRATION),
    refitted: heldBy(half(1), refit(half(0), leftOut)),
  }
}

function heldBy(outcomes: readonly Outcome[], calibration: Calibration): Held {
  return { p68: held(outcomes, calibration, 68), p95: held(outcomes, calibration, 95) }
}
