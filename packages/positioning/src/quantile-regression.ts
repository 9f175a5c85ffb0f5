/** What was measured, and what it is to be predicted from. */
export interface Sample {
  readonly features: ArrayLike<number>
  readonly value: number
}

/** Coefficients that are believed before anything is measured. */
export interface Prior {
  readonly coefficients: readonly number[]
  /** Samples that this counts as, more than 0. */
  readonly samples: number
}

const STEPS = 60
/** Residuals below this weigh no more than this one: the loss is a parabola there. */
const FLAT = 1e-3

/**
 * Linear quantile regression (R. Koenker and G. Bassett, 1978): the coefficients β for which a share `quantile` of all values
 * lies below β · f. Minimizes the pinball loss, and a parabola around the prior, by iteratively reweighted least squares.
 *
 * @param quantile more than 0, less than 1
 */
export function quantileRegression(samples: readonly Sample[], quantile: number, prior: Prior): number[] {
  let coefficients = [...prior.coefficients]
  for (let step = 0; step < STEPS; step++) {
    const system = normalEquations(samples, quantile, prior, coefficients)
    coefficients = solved(system.matrix, system.vector)
  }
  return coefficients
}

/** β · f. */
export function predicted(coefficients: readonly number[], features: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < coefficients.length; index++)
    sum += (coefficients[index] ?? 0) * (features[index] ?? 0)
  return sum
}

function normalEquations(
  samples: readonly Sample[],
  quantile: number,
  prior: Prior,
  coefficients: readonly number[],
) {
  const size = coefficients.length
  const matrix = Array.from({ length: size }, (_, row) =>
    Float64Array.from({ length: size }, (_, column) => (row === column ? prior.samples : 0)),
  )
  const vector = Float64Array.from(prior.coefficients, (coefficient) => coefficient * prior.samples)
  for (const { features, value } of samples) {
    const residual = value - predicted(coefficients, features)
    const weight = (residual > 0 ? quantile : 1 - quantile) / Math.max(FLAT, Math.abs(residual))
    matrix.forEach((line, row) => {
      const scaled = weight * (features[row] ?? 0)
      for (let column = 0; column < size; column++)
        line[column] = (line[column] ?? 0) + scaled * (features[column] ?? 0)
      vector[row] = (vector[row] ?? 0) + scaled * value
    })
  }
  return { matrix, vector }
}

/** Gaussian elimination. The matrix is positive definite, because the prior is on its diagonal, so no pivoting is needed. */
function solved(matrix: readonly Float64Array[], vector: Float64Array): number[] {
  const size = vector.length
  matrix.forEach((line, pivot) => {
    for (let row = pivot + 1; row < size; row++) {
      const below = matrix[row]
      if (!below) continue
      const factor = (below[pivot] ?? 0) / (line[pivot] ?? 1)
      for (let column = pivot; column < size; column++)
        below[column] = (below[column] ?? 0) - factor * (line[column] ?? 0)
      vector[row] = (vector[row] ?? 0) - factor * (vector[pivot] ?? 0)
    }
  })
  const result = new Array<number>(size).fill(0)
  for (let row = size - 1; row >= 0; row--) {
    const line = matrix[row] ?? []
    let rest = vector[row] ?? 0
    for (let column = row + 1; column < size; column++) rest -= (line[column] ?? 0) * (result[column] ?? 0)
    result[row] = rest / (line[row] ?? 1)
  }
  return result
}
