import { CELL_FIELDS, isLearned, type AccessPointModel } from './access-point-model.js'
import type { Coverage, Evidence } from './coverage.js'
import { fastExp } from './fast-exp.js'
import { fastLog } from './fast-log.js'
import { KERNEL_FIELDS, Raster, SIDE } from './raster.js'
import { DEVICE_OFFSETS, PATH_LOSS_EXPONENT, SOURCE_HEIGHT_SQUARED } from './signal-model.js'

/** A reference scan that is like the one that is asked for, on the plane of the query. */
export interface Fingerprint {
  readonly x: number
  readonly y: number
  /** They sum to 1. */
  readonly weight: number
}

/** What the reference scans say, as a mixture of normal distributions around them. */
export interface Fingerprints {
  readonly fingerprints: readonly Fingerprint[]
  /** Standard deviation of each on an axis, in meters. */
  readonly meters: number
  /** How much the logarithm of the mixture counts. */
  readonly weight: number
}

/** Where the device is: the mean of the posterior, and its standard deviation on an axis, in meters. */
export interface Posterior {
  readonly x: number
  readonly y: number
  readonly deviation: number
}

/** The most access points that are used: those that say most exactly where they are heard. */
const MOST_USED = 20
/** Signals are alike within 6 m, times the cube root of the breadth of {@link evidenceOfAll}. */
const KERNEL_VARIANCE = 6 ** 2
/** Observations that the path-loss prior counts as. */
const PRIOR_OBSERVATIONS = 0.6
/** A cell is worth no more observations than this. */
const MOST_IN_A_CELL = 3
/** Variance of a signal where the field is known, and what is added where it is not, in dB². */
const NOISE_VARIANCE = 5 ** 2
const IGNORANCE_VARIANCE = 7 ** 2
/** Degrees of freedom of Student's t. */
const DEGREES = 6
/** The share of evidence that is believed: signals of one scan are wrong together. */
const TEMPER = 0.6
/**
 * Where people measured, people are: (0.02 + exp(−d² / 2·15²))^1.5, d being the distance to the nearest cell. The 15 m grow as the 6 m do.
 */
const SURVEYED_VARIANCE = 15 ** 2
const SURVEYED_FLOOR = 0.02
const SURVEYED_EXPONENT = 1.5
/** The fused coverage is a piece of evidence too, half as strong as its most exact one and never more exact than 8 m. */
const ANCHOR_WEIGHT = 0.5
const ANCHOR_VARIANCE = 8 ** 2
/** The mixture of reference scans never rules a place out. */
const PRINT_FLOOR = 0.01
/** Half of the side that is searched, in meters. */
const SEARCH = { least: 40, most: 250 } as const

/** Shares are rounded to parts of this, so that many access points have the same one (see {@link SignalEvidence}). */
const SHARES = 12
const LOSS_PER_LOG = (5 * PATH_LOSS_EXPONENT) / Math.LN10

/**
 * Returns where the device is, by the signals that were measured around there.
 *
 * For each access point the expected signal at x is μ(x) = [Σ k(x, c) r_c + κ (P − 10 n log₁₀ d)] / (Σ k + κ): the mean of
 * its cells with a Gaussian kernel of 6 m, and path loss if there are none. Residuals are distributed as Student's t
 * (ν = 6, variance 5² + 7² κ / (Σ k + κ)), around an unknown offset of the device. Posterior on a raster in two zoom levels,
 * with the survey's density, the fused coverage and the reference scans as further evidence (location study, FLD and HYB).
 *
 * @param stretch by how much lengths are larger than in a building, at least 1
 * @returns undefined where fewer than two access points were learned and no reference scan is like this one
 */
export function fieldPosterior(
  evidence: readonly Evidence[],
  coverage: Coverage,
  fingerprints: Fingerprints | undefined,
  stretch: number,
): Posterior | undefined {
  const fields = fieldsOf(chosen(evidence, coverage), KERNEL_VARIANCE * stretch ** 2)
  if (fields.length < 2 && !fingerprints) return undefined
  const spread = 2.2 * Math.sqrt(coverage.leastVariance) + 1.5 * Math.sqrt(coverage.scatter)
  const places = { fields, coverage, fingerprints, surveyedVariance: SURVEYED_VARIANCE * stretch ** 2 }
  const half = Math.min(SEARCH.most, Math.max(SEARCH.least, spread))
  RASTER.layOver(coverage.x, coverage.y, half)
  const rough = RASTER.moments(logPosterior(RASTER, places))
  const near = Math.min(half, Math.max(3 * rough.deviation, 2 * RASTER.step))
  RASTER.layOver(rough.x, rough.y, near)
  return RASTER.moments(logPosterior(RASTER, places))
}

/** Of one query at a time: they are synchronous. */
const RASTER = new Raster()

type Learned = Evidence & { readonly known: AccessPointModel }

function chosen(evidence: readonly Evidence[], { x, y }: Coverage): Learned[] {
  return evidence
    .filter((one): one is Learned => isLearned(one.known))
    .filter((one) => Math.hypot(one.x - x, one.y - y) < 3 * Math.sqrt(2 * one.variance) + 20)
    .sort((a, b) => a.variance - b.variance || a.bssid - b.bssid)
    .slice(0, MOST_USED)
    .sort((a, b) => a.share - b.share)
}

/** The cells of an access point on the plane of the query. */
interface Field {
  readonly signalDbm: number
  readonly share: number
  /** As those of {@link AccessPointModel}; until the next query. */
  readonly cells: Float64Array
  readonly x: number
  readonly y: number
  readonly sourceDbm: number
}

/** Cells of the access points of one query, one after the other. */
let turnedCells = new Float64Array(1_024)

function fieldsOf(learned: readonly Learned[], kernelVariance: number): Field[] {
  const numbers = learned.reduce((sum, { known }) => sum + known.cells.length, 0)
  if (turnedCells.length < numbers) turnedCells = new Float64Array(2 * numbers)
  let from = 0
  return learned.map((one) => {
    const cells = turnedCells.subarray(from, from + one.known.cells.length)
    from += cells.length
    return fieldOf(one, cells, kernelVariance)
  })
}

function fieldOf(
  { known, east, north, turn, signalDbm, share }: Learned,
  cells: Float64Array,
  kernelVariance: number,
): Field {
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  cells.set(known.cells)
  for (let at = 0; at < cells.length; at += CELL_FIELDS) {
    const ownEast = cells[at] ?? 0
    const ownNorth = cells[at + 1] ?? 0
    cells[at] = east + cos * ownEast - sin * ownNorth
    cells[at + 1] = north + sin * ownEast + cos * ownNorth
    cells[at + 3] = Math.min(MOST_IN_A_CELL, cells[at + 3] ?? 0)
    cells[at + 4] = kernelVariance + (cells[at + 4] ?? 0)
  }
  const { source } = known
  return {
    signalDbm,
    share: Math.max(1, Math.round(share * SHARES)) / SHARES,
    cells,
    x: east + cos * source.east - sin * source.north,
    y: north + sin * source.east + cos * source.north,
    sourceDbm: source.signalDbm,
  }
}

/** What a posterior comes from. */
interface Places {
  readonly fields: readonly Field[]
  readonly coverage: Coverage
  readonly fingerprints: Fingerprints | undefined
  /** As {@link SURVEYED_VARIANCE}, of the place of the query. */
  readonly surveyedVariance: number
}

function logPosterior(
  raster: Raster,
  { fields, coverage, fingerprints, surveyedVariance }: Places,
): Float64Array {
  const logs = new SignalEvidence(raster, fields).logs()
  if (fingerprints) addFingerprints(raster, logs, fingerprints)
  addSurvey(raster, logs, fields, surveyedVariance)
  const variance = Math.max(coverage.leastVariance, ANCHOR_VARIANCE)
  for (let row = 0, node = 0; row < SIDE; row++) {
    const dy = (raster.ys[row] ?? 0) - coverage.y
    for (let column = 0; column < SIDE; column++, node++) {
      const dx = (raster.xs[column] ?? 0) - coverage.x
      logs[node] = (logs[node] ?? 0) - (ANCHOR_WEIGHT * (dx * dx + dy * dy)) / (4 * variance)
    }
  }
  return logs
}

function addFingerprints(
  raster: Raster,
  logs: Float64Array,
  { fingerprints, meters, weight }: Fingerprints,
): void {
  const mixture = raster.values()
  const unused = raster.values()
  const kernels = new Float64Array(fingerprints.length * KERNEL_FIELDS)
  fingerprints.forEach((fingerprint, index) => {
    kernels.set([fingerprint.x, fingerprint.y, 0, fingerprint.weight, meters * meters], index * KERNEL_FIELDS)
  })
  raster.addKernels(kernels, mixture, unused)
  for (let node = 0; node < logs.length; node++)
    logs[node] = (logs[node] ?? 0) + weight * fastLog(PRINT_FLOOR + (mixture[node] ?? 0))
}

function addSurvey(
  raster: Raster,
  logs: Float64Array,
  fields: readonly Field[],
  surveyedVariance: number,
): void {
  const marks = raster.values()
  for (const { cells } of fields)
    for (let at = 0; at < cells.length; at += CELL_FIELDS)
      raster.mark(marks, cells[at] ?? 0, cells[at + 1] ?? 0, surveyedVariance)
  const surveyed = raster.spread(marks, surveyedVariance)
  for (let node = 0; node < logs.length; node++)
    logs[node] = (logs[node] ?? 0) + SURVEYED_EXPONENT * fastLog(SURVEYED_FLOOR + (surveyed[node] ?? 0))
}

const [LOW, MIDDLE, HIGH] = DEVICE_OFFSETS

/** A value for each node, for each of the three offsets. */
type ForEachOffset = readonly [Float64Array, Float64Array, Float64Array]

/**
 * The log-likelihood of the signals. Of access points with the same share the factors 1 + z² / ν V are multiplied, and one
 * logarithm is taken of all: at most 20 factors of less than 10³ stay far below the largest double.
 */
class SignalEvidence {
  private readonly sums: ForEachOffset
  private readonly factors: ForEachOffset
  private readonly variances: Float64Array
  private readonly kernels: Float64Array
  private readonly signals: Float64Array

  constructor(
    private readonly raster: Raster,
    private readonly fields: readonly Field[],
  ) {
    this.sums = [raster.values(), raster.values(), raster.values()]
    this.factors = [raster.values(1), raster.values(1), raster.values(1)]
    this.variances = raster.values(1)
    this.kernels = raster.values()
    this.signals = raster.values()
  }

  logs(): Float64Array {
    const shares = this.fields.reduce((sum, { share }) => sum + share, 0)
    const temper = (2 * TEMPER) / (1 + Math.sqrt(shares) / 2)
    this.fields.forEach((field, index) => {
      this.multiply(field)
      if (this.fields[index + 1]?.share !== field.share) this.flush(field.share)
    })
    const logs = this.raster.values()
    const [low, middle, high] = this.sums
    for (let node = 0; node < logs.length; node++) {
      const [ofLow, ofMiddle, ofHigh] = [low[node] ?? 0, middle[node] ?? 0, high[node] ?? 0]
      const best = Math.max(ofLow, ofMiddle, ofHigh)
      const total =
        LOW.probability * fastExp(temper * (ofLow - best)) +
        MIDDLE.probability * fastExp(temper * (ofMiddle - best)) +
        HIGH.probability * fastExp(temper * (ofHigh - best))
      logs[node] = temper * best + fastLog(total)
    }
    return logs
  }

  private multiply({ cells, x, y, sourceDbm, signalDbm }: Field): void {
    const { raster, kernels, signals, variances } = this
    // The inner loop is most of an estimate: written out for the three offsets it takes half the time.
    const [low, middle, high] = this.factors
    kernels.fill(0)
    signals.fill(0)
    const { xs, ys } = raster
    raster.addKernels(cells, kernels, signals)
    for (let row = 0, node = 0; row < SIDE; row++) {
      const southward = ((ys[row] ?? 0) - y) ** 2
      for (let column = 0; column < SIDE; column++, node++) {
        const squared = ((xs[column] ?? 0) - x) ** 2 + southward
        const lossDbm = sourceDbm - LOSS_PER_LOG * fastLog(squared + SOURCE_HEIGHT_SQUARED)
        const known = (kernels[node] ?? 0) + PRIOR_OBSERVATIONS
        // The variance times `known`; one division gives the inverse of both.
        const spread = NOISE_VARIANCE * known + IGNORANCE_VARIANCE * PRIOR_OBSERVATIONS
        const inverse = 1 / (known * spread)
        const expected = ((signals[node] ?? 0) + PRIOR_OBSERVATIONS * lossDbm) * (spread * inverse)
        variances[node] = (variances[node] ?? 0) * (spread * spread * inverse)
        const scale = (known * known * inverse) / DEGREES
        const residual = signalDbm - expected
        low[node] = (low[node] ?? 0) * (1 + (residual - LOW.offsetDb) ** 2 * scale)
        middle[node] = (middle[node] ?? 0) * (1 + (residual - MIDDLE.offsetDb) ** 2 * scale)
        high[node] = (high[node] ?? 0) * (1 + (residual - HIGH.offsetDb) ** 2 * scale)
      }
    }
  }

  private flush(share: number): void {
    const { variances } = this
    const [low, middle, high] = this.factors
    const [lowSums, middleSums, highSums] = this.sums
    for (let node = 0; node < variances.length; node++) {
      const spread = fastLog(variances[node] ?? 1)
      lowSums[node] = (lowSums[node] ?? 0) - 0.5 * share * ((DEGREES + 1) * fastLog(low[node] ?? 1) + spread)
      middleSums[node] =
        (middleSums[node] ?? 0) - 0.5 * share * ((DEGREES + 1) * fastLog(middle[node] ?? 1) + spread)
      highSums[node] =
        (highSums[node] ?? 0) - 0.5 * share * ((DEGREES + 1) * fastLog(high[node] ?? 1) + spread)
    }
    low.fill(1)
    middle.fill(1)
    high.fill(1)
    variances.fill(1)
  }
}
