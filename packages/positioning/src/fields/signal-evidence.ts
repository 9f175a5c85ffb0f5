import { fastExp } from '../numbers/fast-exp.js'
import { fastLog } from '../numbers/fast-log.js'
import type { Raster } from './raster.js'
import { DEVICE_OFFSETS, PATH_LOSS_EXPONENT, SOURCE_HEIGHT_SQUARED } from './signal-model.js'

/** Observations that the path-loss prior counts as. */
const PRIOR_OBSERVATIONS = 0.6
/** Variance of a signal where the field is known, and what is added where it is not, in dB². */
const NOISE_VARIANCE = 5 ** 2
const IGNORANCE_VARIANCE = 7 ** 2
/** Degrees of freedom of Student's t. */
const DEGREES = 6
/** The share of evidence that is believed: signals of one scan are wrong together. */
const TEMPER = 0.6
const LOSS_PER_LOG = (5 * PATH_LOSS_EXPONENT) / Math.LN10

/** The cells of an access point on the plane of the query. */
export interface Field {
  readonly signalDbm: number
  readonly share: number
  /** As those of `AccessPointModel`; until the next query. */
  readonly cells: Float64Array
  readonly x: number
  readonly y: number
  readonly sourceDbm: number
}

const [LOW, MIDDLE, HIGH] = DEVICE_OFFSETS

/** A value for each node, for each of the three offsets. */
type ForEachOffset = readonly [Float64Array, Float64Array, Float64Array]

/**
 * The log-likelihood of the signals. Of access points with the same share the factors 1 + z² / ν V are multiplied, and one
 * logarithm is taken of all: at most 20 factors of less than 10³ stay far below the largest double.
 */
export class SignalEvidence {
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

  /** Returns the log-likelihood of each node, valid until the raster is laid elsewhere. */
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
    const { xs, ys, side } = raster
    raster.addKernels(cells, kernels, signals)
    for (let row = 0, node = 0; row < side; row++) {
      const southward = ((ys[row] ?? 0) - y) ** 2
      for (let column = 0; column < side; column++, node++) {
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
