import {
  DEFAULT_CALIBRATION,
  fitQuantile,
  LEAST_OUTCOMES,
  pinballLoss,
  PRIOR_OUTCOMES,
  radiusOf,
  shareWithin,
  type Calibration,
  type Outcome,
} from './uncertainty.js'

/** How often the radii of 68 % and of 95 % held the truth, 0 to 1. */
export interface Held {
  readonly p68: number
  readonly p95: number
}

/** What an organization's own scans say about its radii. */
export interface OwnCalibration {
  /** Undefined where the coefficients that Bearing comes with do as well, or there are too few outcomes. */
  readonly calibration: Calibration | undefined
  /** How many outcomes there are. */
  readonly outcomes: number
  /** How often radii held, of outcomes that nothing was fitted to; undefined where there are too few. */
  readonly held: { readonly usual: Held; readonly own: Held } | undefined
}

/** How often a radius of 95 % is to hold. */
const ASKED = 0.95

/**
 * Fits the radii of an organization to how far off its own scans were, and believes them where they do better than what
 * Bearing comes with. That is judged by outcomes that were not fitted to: every other block by what the rest comes to, with
 * the loss that quantiles minimize. In the end all are fitted to.
 *
 * @param blocks of `leaveOut`
 */
export function ownCalibration(blocks: readonly (readonly Outcome[])[]): OwnCalibration {
  const all = blocks.flat()
  const halves = [0, 1].map((half) => blocks.filter((_, block) => block % 2 === half).flat())
  const [even = [], odd = []] = halves
  if (all.length < LEAST_OUTCOMES || even.length === 0 || odd.length === 0)
    return { calibration: undefined, outcomes: all.length, held: undefined }
  const folds = [
    { judged: even, own: fitted(odd) },
    { judged: odd, own: fitted(even) },
  ]
  const sum = (of: (judged: readonly Outcome[], own: Calibration) => number) =>
    folds.reduce((total, { judged, own }) => total + of(judged, own), 0)
  const share = (confidence: number, isOwn: boolean) =>
    sum(
      (judged, own) =>
        shareWithin(judged, isOwn ? own : DEFAULT_CALIBRATION, confidence) * (judged.length / all.length),
    )
  const held = {
    usual: { p68: share(68, false), p95: share(95, false) },
    own: { p68: share(68, true), p95: share(95, true) },
  }
  const isBetter = sum(pinballLoss) < sum((judged) => pinballLoss(judged, DEFAULT_CALIBRATION))
  const calibration = isBetter ? fitted(all) : undefined
  return {
    calibration: calibration && isFinite(calibration) ? calibration : undefined,
    outcomes: all.length,
    held,
  }
}

/**
 * An organization's scans show how far off positions are where somebody has surveyed. A caller that asks for 95 % needs
 * the truth inside elsewhere too: that radius only grows, everywhere, where the scans show that it is too small (decision 47).
 */
function fitted(outcomes: readonly Outcome[]): Calibration {
  const p68 = fitQuantile(outcomes, 0.68, DEFAULT_CALIBRATION.p68, PRIOR_OUTCOMES)
  const [constant = 0, ...others] = DEFAULT_CALIBRATION.p95
  return { p68, p95: [constant + tooSmall(outcomes), ...others] }
}

/** By how much the logarithm of the usual radius of 95 % is too small for 95 % of the outcomes; 0 where it is not. */
function tooSmall(outcomes: readonly Outcome[]): number {
  const ratios = outcomes
    .map(({ features, errorMeters }) => errorMeters / radiusOf(features, DEFAULT_CALIBRATION, 95))
    .sort((one, other) => one - other)
  return Math.log(Math.max(1, ratios[Math.ceil(ASKED * ratios.length) - 1] ?? 1))
}

function isFinite({ p68, p95 }: Calibration): boolean {
  return [...p68, ...p95].every(Number.isFinite)
}
