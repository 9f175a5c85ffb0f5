import {
  DEFAULT_CALIBRATION,
  type Calibration,
  type Outcome,
} from '@bearing/positioning/estimate/uncertainty'
import { fitBalanced, type WeightedOutcomes } from './balanced-fit.js'
import { held, type Judged } from './judge.js'

/** Shares of truths within the 68 % and the 95 % radius. */
export interface Held {
  readonly p68: number
  readonly p95: number
}

/** Figures of a set's radii with coefficients from different scans. */
export interface CalibrationFigures {
  /** Fitted to the other places, none of whose scans are judged. */
  readonly leftOut: Held
  readonly leftOutImported: Held
  /** The coefficients in the code, fitted to all places. */
  readonly shipped: Held
  readonly shippedImported: Held
}

/** A set with its weight in the fit. */
export type Fitted = Judged & WeightedOutcomes

/** Fits coefficients to sets. */
export function fitTo(sets: readonly Fitted[]): Calibration {
  return fitBalanced(sets.filter(({ outcomes }) => outcomes.length >= LEAST_OUTCOMES_OF_A_SET))
}

/** Fewer say little of how often a radius holds. */
const LEAST_OUTCOMES_OF_A_SET = 20

/** Fits without one place each, by what is fitted to. */
const LEFT_OUT = new WeakMap<readonly Fitted[], Map<string, Calibration>>()

/** Fits coefficients to all places but one. */
export function fitWithout(group: string, all: readonly Fitted[]): Calibration {
  const fits = LEFT_OUT.get(all) ?? new Map<string, Calibration>()
  LEFT_OUT.set(all, fits)
  const fit = fits.get(group) ?? fitTo(all.filter((other) => other.set.group !== group))
  fits.set(group, fit)
  return fit
}

/** Judges the radii of what was estimated otherwise of a set, without a fit of its own. */
export function leftOutOf({ outcomes, set }: Judged, all: readonly Fitted[]): Held {
  return heldBy(outcomes, fitWithout(set.group, all))
}

/**
 * Judges the radii of a set.
 *
 * @param imported the same set, of which positions alone are known
 */
export function calibrationOf(judged: Judged, imported: Judged, all: readonly Fitted[]): CalibrationFigures {
  const { outcomes, set } = judged
  const leftOut = fitWithout(set.group, all)
  return {
    leftOut: heldBy(outcomes, leftOut),
    leftOutImported: heldBy(imported.outcomes, leftOut),
    shipped: heldBy(outcomes, DEFAULT_CALIBRATION),
    shippedImported: heldBy(imported.outcomes, DEFAULT_CALIBRATION),
  }
}

/** Returns how often radii of a calibration held. */
export function heldBy(outcomes: readonly Outcome[], calibration: Calibration): Held {
  return { p68: held(outcomes, calibration, 68), p95: held(outcomes, calibration, 95) }
}
