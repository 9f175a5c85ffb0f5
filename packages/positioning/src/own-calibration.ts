import type { LeftOut } from './leave-out.js'
import {
  DEFAULT_CALIBRATION,
  LEARNED_FEATURES,
  LEAST_OUTCOMES,
  pinballLoss,
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

/**
 * Fits the radii of an organization to how far off its own scans were, and believes them where they do better than what
 * Bearing comes with. That is judged by outcomes that were not fitted to: every other block by what the rest comes to, with
 * the loss that quantiles minimize. In the end all are fitted to. Radii of positions alone are fitted and judged apart.
 *
 * @returns outcomes and shares held are those of learned access points
 */
export function ownCalibration({ learned, positions }: LeftOut): OwnCalibration {
  const own = judged(learned, fittedLearned)
  const ofPositions = judged(positions, fittedPositions)
  const joined = (quantile: 'p68' | 'p95') => [
    ...(own.calibration ?? DEFAULT_CALIBRATION)[quantile].slice(0, LEARNED_FEATURES),
    ...(ofPositions.calibration ?? DEFAULT_CALIBRATION)[quantile].slice(LEARNED_FEATURES),
  ]
  const isOwn = own.calibration !== undefined || ofPositions.calibration !== undefined
  return { ...own, calibration: isOwn ? { p68: joined('p68'), p95: joined('p95') } : undefined }
}

/** The same of outcomes of one kind. */
function judged(blocks: readonly (readonly Outcome[])[], fitted: Fit): OwnCalibration {
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

type Fit = (outcomes: readonly Outcome[]) => Calibration

/**
 * Radii that are larger by one factor, where the scans show that they are too small. Never smaller: scans of a survey are located
 * better than others, because its walks are repeated, and how it is elsewhere is unknown (decision 86).
 */
function fittedLearned(outcomes: readonly Outcome[]): Calibration {
  return fitted(Math.max(0, tooSmall(outcomes, 68, 0.68)), outcomes)
}

/** The same, but the radius of 68 % may become smaller: positions do not know the walks that they come from. */
function fittedPositions(outcomes: readonly Outcome[]): Calibration {
  return fitted(tooSmall(outcomes, 68, 0.68), outcomes)
}

function fitted(by68: number, outcomes: readonly Outcome[]): Calibration {
  return {
    p68: larger(DEFAULT_CALIBRATION.p68, by68),
    p95: larger(DEFAULT_CALIBRATION.p95, Math.max(0, tooSmall(outcomes, 95, ASKED_95))),
  }
}

/** How many of its own scans a radius of 95 % is to hold: one in fifty is more than others show to be missing. */
const ASKED_95 = 0.97

/** Adds to the constants of both kinds of radii; outcomes are of one kind. */
function larger(coefficients: readonly number[], by: number): number[] {
  return coefficients.map((value, index) => (index === 0 || index === LEARNED_FEATURES ? value + by : value))
}

/** By how much the logarithm of the usual radius is too small for a share of the outcomes; below 0 where it is too large. */
function tooSmall(outcomes: readonly Outcome[], confidence: number, share: number): number {
  const ratios = outcomes
    .map(({ features, errorMeters }) => errorMeters / radiusOf(features, DEFAULT_CALIBRATION, confidence))
    .sort((one, other) => one - other)
  return Math.log(Math.max(Number.MIN_VALUE, ratios[Math.ceil(share * ratios.length) - 1] ?? 1))
}

function isFinite({ p68, p95 }: Calibration): boolean {
  return [...p68, ...p95].every(Number.isFinite)
}
