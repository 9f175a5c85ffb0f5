import type { LeftOut } from './leave-out.js'
import {
  DEFAULT_CALIBRATION,
  LEARNED_FEATURES,
  radiusOf,
  shareWithin,
  type Calibration,
  type Outcome,
} from '../estimate/uncertainty.js'

/** How often the radii of 68 % and of 95 % held the truth, 0 to 1. */
export interface Held {
  readonly p68: number
  readonly p95: number
}

/** What an organization's own scans say about its radii. */
export interface OwnCalibration {
  /** Undefined where there are too few outcomes. */
  readonly calibration: Calibration | undefined
  /** How many outcomes there are. */
  readonly outcomes: number
  /** How often radii held, of outcomes that nothing was fitted to; undefined where there are too few. */
  readonly held: { readonly usual: Held; readonly own: Held } | undefined
}

/** Reference scans that an organization needs before its radii are fitted. */
export const LEAST_SCANS = 200
/** Outcomes of one kind that its radii are fitted to at least: in a thin survey many scans are known from nowhere else. */
export const LEAST_OUTCOMES = 30
/**
 * Logarithm of a factor of 68 % radii that says nothing: surveyors' walks are located better or worse than others by that much. Only
 * what goes beyond it counts.
 */
const TOLERANCE = Math.log(1.2)
/** How many of its own scans a radius of 95 % is to hold: one in fifty is more than others show to be missing. */
const ASKED_95 = 0.97

/**
 * Fits the radii of an organization to how far off its own scans were ({@link fittedTo}). Radii of positions alone are fitted apart.
 * How often radii hold is judged by outcomes that were not fitted to: every other block by what the rest comes to.
 *
 * @returns outcomes and shares held are those of learned access points
 */
export function ownCalibration({ learned, positions }: LeftOut): OwnCalibration {
  const own = fittedToAll(learned)
  const ofPositions = fittedToAll(positions)
  const joined = (quantile: 'p68' | 'p95') => [
    ...(own ?? DEFAULT_CALIBRATION)[quantile].slice(0, LEARNED_FEATURES),
    ...(ofPositions ?? DEFAULT_CALIBRATION)[quantile].slice(LEARNED_FEATURES),
  ]
  const isOwn = own !== undefined || ofPositions !== undefined
  return {
    calibration: isOwn ? { p68: joined('p68'), p95: joined('p95') } : undefined,
    outcomes: learned.flat().length,
    held: own && heldByHalves(learned),
  }
}

type Blocks = readonly (readonly Outcome[])[]

function fittedToAll(blocks: Blocks): Calibration | undefined {
  const outcomes = blocks.flat()
  return outcomes.length < LEAST_OUTCOMES ? undefined : fittedTo(outcomes)
}

function heldByHalves(blocks: Blocks): OwnCalibration['held'] {
  const half = (rest: number) => blocks.filter((_, block) => block % 2 === rest).flat()
  const [even, odd] = [half(0), half(1)]
  if (even.length === 0 || odd.length === 0) return undefined
  const share = (confidence: number, ofRest: (rest: readonly Outcome[]) => Calibration) =>
    (even.length * shareWithin(even, ofRest(odd), confidence) +
      odd.length * shareWithin(odd, ofRest(even), confidence)) /
    (even.length + odd.length)
  const held = (ofRest: (rest: readonly Outcome[]) => Calibration): Held => ({
    p68: share(68, ofRest),
    p95: share(95, ofRest),
  })
  return { usual: held(() => DEFAULT_CALIBRATION), own: held(fittedTo) }
}

/**
 * Returns the shipped radii times one factor each, by the quantile of error over shipped radius: a few walks say no more than that.
 * The radius of 95 % never becomes smaller: an organization's scans say nothing about places that it has not surveyed.
 *
 * @param outcomes at least one, all of learned access points, or all of positions alone
 */
export function fittedTo(outcomes: readonly Outcome[]): Calibration {
  const by68 = tooSmall(outcomes, 68, 0.68)
  const beyond = Math.sign(by68) * Math.max(0, Math.abs(by68) - TOLERANCE)
  return {
    p68: larger(DEFAULT_CALIBRATION.p68, beyond),
    p95: larger(DEFAULT_CALIBRATION.p95, Math.max(0, tooSmall(outcomes, 95, ASKED_95))),
  }
}

/** Adds to the constants of both kinds of radii; outcomes are of one kind. */
function larger(coefficients: readonly number[], by: number): number[] {
  return coefficients.map((value, index) => (index === 0 || index === LEARNED_FEATURES ? value + by : value))
}

/** By how much the logarithm of the shipped radius is too small for a share of the outcomes; below 0 where it is too large. */
function tooSmall(outcomes: readonly Outcome[], confidence: number, share: number): number {
  const ratios = outcomes
    .map(
      ({ features, errorMeters }) =>
        Math.max(LEAST_METERS, errorMeters) / radiusOf(features, DEFAULT_CALIBRATION, confidence),
    )
    .sort((one, other) => one - other)
  return Math.log(ratios[Math.min(ratios.length, Math.ceil(share * (ratios.length + 1))) - 1] ?? 1)
}

/** Nothing is surveyed more exactly, in meters. */
const LEAST_METERS = 1
