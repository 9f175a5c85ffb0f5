import type { Coverage } from '../access-points/coverage.js'
import type { Posterior } from '../fields/signal-field.js'

/** Coefficients of the logarithm of a radius in meters, one for each of {@link FEATURES} features. */
export interface Calibration {
  /** Of the radius that holds 68 % of the truths. */
  readonly p68: readonly number[]
  /** Of the one that holds 95 %. */
  readonly p95: readonly number[]
}

/** Features of estimates with learned access points ({@link featuresOf}). */
export const LEARNED_FEATURES = 7
/** All features: those of learned access points, then those of positions alone ({@link positionFeaturesOf}). Of each estimate one kind is 0. */
export const FEATURES = LEARNED_FEATURES + 5
/** An ordinary array: a typed one of this length is memory outside of V8's heap, which takes longer than the estimate's sums. */
const NO_FEATURES: readonly number[] = new Array<number>(FEATURES).fill(0)

/**
 * Fitted to all sets of the benchmark so that radii hold on each of them (`bench/src/location-accuracy/balanced-fit.ts`, which prints
 * them); what comes out where each is left out is in bench/NOTES.md.
 */
export const DEFAULT_CALIBRATION: Calibration = {
  p68: [-0.74, 1.29, 0.59, 1.1, 0.24, 1.46, -0.6, 2.06, 0.62, 1.98, -0.02, -0.23],
  p95: [3.78, 0.78, 0.03, -1.1, -0.79, 1.35, -0.53, 4.78, 0.5, 2.34, 0, -0.54],
}

/** An estimate of a scan that was not learned from before, and how far it was off. */
export interface Outcome {
  readonly features: ArrayLike<number>
  readonly errorMeters: number
}

/** Parts of an estimate of any kind. */
export interface ScanParts {
  /** Access points of the scan, those of them that agree, and their radios; at least 1. */
  readonly heard: number
  readonly agreeing: number
  readonly radios: number
}

/** Parts of an estimate with learned access points. */
export interface Parts extends ScanParts {
  readonly coverage: Coverage
  /** On the plane whose origin is the mean of all positions. */
  readonly posterior: Posterior
  /** Share of the posterior, 0 to 1; the mean has the rest. */
  readonly trust: number
  /** Variance of the positions around their mean, on an axis, in m². */
  readonly meanVariance: number
  readonly similarity: number
  /** True if there were reference scans to compare with. */
  readonly isCompared: boolean
}

/**
 * Returns what the error is predicted from: 1, the logarithm of the standard deviation of the mixture of posterior and mean (meters,
 * at least 1), the logarithm of the effective number of evidence, the similarity of the likest reference scan, 1 where there was
 * no reference scan to compare with, which is not the same as that the likest one is not like it, how much of the scan is
 * unknown ({@link unknownOf}), and the logarithm of the radios that agree.
 */
export function featuresOf(parts: Parts): number[] {
  const { coverage, posterior, trust, meanVariance, similarity, isCompared } = parts
  const apart = posterior.x ** 2 + posterior.y ** 2
  const mixture =
    trust * posterior.deviation ** 2 + (1 - trust) * meanVariance + (trust * (1 - trust) * apart) / 2
  const features = NO_FEATURES.slice()
  features[0] = 1
  features[1] = logMeters(Math.sqrt(mixture))
  features[2] = Math.log(coverage.effective)
  features[3] = similarity
  features[4] = isCompared ? 0 : 1
  features[5] = unknownOf(parts)
  features[6] = Math.log(parts.radios)
  return features
}

/**
 * Returns the same where only positions are known: 1, the logarithm of the uncertainty of their mean in meters, the last two of
 * {@link featuresOf}, and how far the strongest signal is above −100 dBm, in 10 dB.
 *
 * @param uncertaintyMeters what {@link locate} says of the mean
 * @param strongestDbm the strongest signal of those that agree
 */
export function positionFeaturesOf(
  parts: ScanParts,
  uncertaintyMeters: number,
  strongestDbm: number,
): number[] {
  const features = NO_FEATURES.slice()
  features[LEARNED_FEATURES] = 1
  features[LEARNED_FEATURES + 1] = logMeters(uncertaintyMeters)
  features[LEARNED_FEATURES + 2] = unknownOf(parts)
  features[LEARNED_FEATURES + 3] = Math.log(parts.radios)
  features[LEARNED_FEATURES + 4] = (Math.min(MOST_DBM, strongestDbm) + 100) / 10
  return features
}

/** Phones receive no access point more strongly; of what claims to be, the radius would be that of no place. In dBm. */
const MOST_DBM = -30
/** Ratio of received to agreeing access points above which more unknown ones say nothing more. */
const MOST_UNKNOWN = 4

/**
 * Returns the logarithm of how many times as many access points were heard as agree. The more of a scan is not known near the position,
 * the more likely is it that what is known has moved, or that no survey went there.
 */
function unknownOf({ heard, agreeing }: ScanParts): number {
  return Math.log(Math.min(MOST_UNKNOWN, heard / agreeing))
}

/**
 * Returns the standard deviation of an estimate on an axis as it says itself, in meters, at least 1: the second feature of
 * {@link featuresOf} or {@link positionFeaturesOf}.
 */
export function deviationOf(features: ArrayLike<number>): number {
  return Math.exp((features[1] ?? 0) + (features[LEARNED_FEATURES + 1] ?? 0))
}

function logMeters(meters: number): number {
  return Math.log(Math.max(1, meters))
}

/** −ln(1 − p) of the two quantiles that are fitted. */
const EXPONENT_68 = -Math.log(1 - 0.68)
const LOG_EXPONENTS = Math.log(-Math.log(1 - 0.95) / EXPONENT_68)
/** The 95 % radius is at least this times the 68 % radius. */
const LOG_LEAST_RATIO = Math.log(1.2)

/**
 * Returns the radius in meters that holds the truth with a probability: that of the Weibull distribution through the fitted 68 % and
 * 95 % radii, r = λ (−ln(1 − p))^(1/k). With k = 2 errors would be normally distributed on both axes.
 *
 * @param confidence 50 to 99, in percent
 */
export function radiusOf(features: ArrayLike<number>, { p68, p95 }: Calibration, confidence: number): number {
  const log68 = predicted(p68, features)
  const log95 = Math.max(predicted(p95, features), log68 + LOG_LEAST_RATIO)
  const share = Math.log(exponentOf(confidence) / EXPONENT_68) / LOG_EXPONENTS
  return Math.exp(log68 + share * (log95 - log68))
}

function predicted(coefficients: readonly number[], features: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < coefficients.length; index++)
    sum += (coefficients[index] ?? 0) * (features[index] ?? 0)
  return sum
}

function exponentOf(confidence: number): number {
  return -Math.log(1 - confidence / 100)
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
