import type { Coverage } from './coverage.js'
import { quantileRegression, predicted, type Sample } from './quantile-regression.js'
import type { Posterior } from './signal-field.js'

/** Coefficients of the logarithm of a radius in meters, one for each feature ({@link featuresOf}). */
export interface Calibration {
  /** Of the radius that holds 68 % of the truths. */
  readonly p68: readonly number[]
  /** Of the one that holds 95 %. */
  readonly p95: readonly number[]
}

/** Fitted to all sets of the benchmark; what comes out where each is left out is in decision 31. */
export const DEFAULT_CALIBRATION: Calibration = {
  p68: [3.4, 0.53, 0.12, -0.33, -0.19, -1.48, 0.05, -1.33],
  p95: [3.45, 0.51, 0.15, -0.28, -0.14, -0.89, 0.05, -0.74],
}

/** An estimate of a scan that was not learned from before, and how far it was off. */
export interface Outcome {
  readonly features: ArrayLike<number>
  readonly errorMeters: number
}

/** What an estimate was made of. */
export interface Parts {
  readonly coverage: Coverage
  /** On the plane whose origin is the mean of all positions. */
  readonly posterior: Posterior
  /** What the posterior counted, 0 to 1; the mean counted the rest. */
  readonly trust: number
  /** Variance of the positions around their mean, on an axis, in m². */
  readonly meanVariance: number
  readonly similarity: number
  /** Whether there were reference scans to compare with. */
  readonly isCompared: boolean
}

/**
 * Returns what the error is predicted from: 1, then the logarithms (meters, at least 1) of the standard deviation of the mixture of
 * posterior and mean, of the most exact evidence, and of the scatter of all, the logarithm of the effective number of
 * evidence, the similarity of the likest reference scan, the logarithm of the distance between posterior and mean, and 1
 * where there was no reference scan to compare with, which is not the same as that the likest one is not like it.
 */
export function featuresOf(parts: Parts): Float64Array {
  const { coverage, posterior, trust, meanVariance, similarity, isCompared } = parts
  const apart = posterior.x ** 2 + posterior.y ** 2
  const mixture =
    trust * posterior.deviation ** 2 + (1 - trust) * meanVariance + (trust * (1 - trust) * apart) / 2
  return Float64Array.of(
    1,
    logMeters(Math.sqrt(mixture)),
    logMeters(Math.sqrt(coverage.leastVariance)),
    logMeters(Math.sqrt(coverage.scatter)),
    Math.log(coverage.effective),
    similarity,
    logMeters(Math.sqrt(apart)),
    isCompared ? 0 : 1,
  )
}

function logMeters(meters: number): number {
  return Math.log(Math.max(1, meters))
}

/** −ln(1 − p) of the two quantiles that are fitted. */
const EXPONENT_68 = -Math.log(1 - 0.68)
const EXPONENT_95 = -Math.log(1 - 0.95)
/** The 95 % radius is at least this times the 68 % radius. */
const LEAST_RATIO = 1.2

/**
 * Returns the radius in meters that holds the truth with a probability: that of the Weibull distribution through the fitted 68 % and
 * 95 % radii, r = λ (−ln(1 − p))^(1/k). With k = 2 errors would be normally distributed on both axes.
 *
 * @param confidence 50 to 99, in percent
 */
export function radiusOf(features: ArrayLike<number>, { p68, p95 }: Calibration, confidence: number): number {
  const log68 = predicted(p68, features)
  const log95 = Math.max(predicted(p95, features), log68 + Math.log(LEAST_RATIO))
  const share = Math.log(exponentOf(confidence) / EXPONENT_68) / Math.log(EXPONENT_95 / EXPONENT_68)
  return Math.exp(log68 + share * (log95 - log68))
}

/** Shape of the distribution of errors where only positions are known; measured 1.4 to 1.6. */
const MEAN_SHAPE = 1.5

/** Returns the radius for another confidence than 68 %, where only positions are known. */
export function meanRadius(radius68Meters: number, confidence: number): number {
  return radius68Meters * (exponentOf(confidence) / EXPONENT_68) ** (1 / MEAN_SHAPE)
}

function exponentOf(confidence: number): number {
  return -Math.log(1 - confidence / 100)
}

/** Outcomes that an organization needs before its own are believed at all. */
export const LEAST_OUTCOMES = 200
/** Outcomes that the default coefficients count as, so that a few hundred new ones move them, but do not replace them. */
export const PRIOR_OUTCOMES = 100

/**
 * Returns the calibration of an organization, from scans whose truth it contributed.
 *
 * Each has to be estimated before it is learned from (or from statistics without it): what was learned from is found too
 * well, and the radius would come out too small.
 *
 * @returns the defaults where there are fewer than {@link LEAST_OUTCOMES}
 */
export function refit(
  outcomes: readonly Outcome[],
  defaults: Calibration = DEFAULT_CALIBRATION,
): Calibration {
  if (outcomes.length < LEAST_OUTCOMES) return defaults
  return fit(outcomes, defaults, PRIOR_OUTCOMES)
}

/** Fits both quantiles, beginning at a calibration that counts as so many outcomes. */
export function fit(outcomes: readonly Outcome[], from: Calibration, priorOutcomes: number): Calibration {
  return {
    p68: fitQuantile(outcomes, 0.68, from.p68, priorOutcomes),
    p95: fitQuantile(outcomes, 0.95, from.p95, priorOutcomes),
  }
}

/** Fits one quantile, beginning at coefficients that count as so many outcomes. */
export function fitQuantile(
  outcomes: readonly Outcome[],
  quantile: number,
  coefficients: readonly number[],
  priorOutcomes: number,
): number[] {
  const samples = outcomes.map(({ features, errorMeters }): Sample => ({
    features,
    value: logMeters(errorMeters),
  }))
  return quantileRegression(samples, quantile, { coefficients, samples: priorOutcomes })
}

/** Returns how often the radii of a calibration held the truth, 0 to 1; of no outcomes 0. */
export function shareWithin(
  outcomes: readonly Outcome[],
  calibration: Calibration,
  confidence: number,
): number {
  const held = outcomes.filter(
    ({ features, errorMeters }) => errorMeters <= radiusOf(features, calibration, confidence),
  )
  return outcomes.length > 0 ? held.length / outcomes.length : 0
}

/**
 * Returns how badly the radii of 68 % and 95 % fit: the sum of the pinball losses of the logarithms, which is least where each radius
 * is that quantile of the errors.
 */
export function pinballLoss(outcomes: readonly Outcome[], calibration: Calibration): number {
  const loss = (confidence: number) =>
    outcomes.reduce((sum, { features, errorMeters }) => {
      const above = logMeters(errorMeters) - Math.log(radiusOf(features, calibration, confidence))
      return sum + Math.max((confidence / 100) * above, (confidence / 100 - 1) * above)
    }, 0)
  return loss(68) + loss(95)
}
