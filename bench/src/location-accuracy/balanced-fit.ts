import {
  FEATURES,
  LEARNED_FEATURES,
  type Calibration,
  type Outcome,
} from '@bearing/positioning/estimate/uncertainty'

/** Outcomes of one set, all of one kind: of learned access points, or of positions alone. */
export interface WeightedOutcomes {
  readonly outcomes: readonly Outcome[]
  readonly weight: number
  /** True if radii have to hold on this set; otherwise it only counts with its weight. */
  readonly isBinding: boolean
}

/** Share of truths that a radius is to hold, 0 to 1, and weight of a set outside of that against the loss of quantiles. */
interface Range {
  readonly least: number
  readonly most: number
  readonly strictness: number
}

interface Aim {
  readonly quantile: number
  /** On each binding set. */
  readonly binding: Range
  /** On each other set. */
  readonly other: Range
}

/** The shares of the bar, with a margin: other scans of the same places hold a little less. */
const AIM_68: Aim = {
  quantile: 0.68,
  binding: { least: 0.62, most: 0.78, strictness: 1_500 },
  other: { least: 0.63, most: 0.77, strictness: 20 },
}
const AIM_95: Aim = {
  quantile: 0.95,
  binding: { least: 0.925, most: 0.985, strictness: 300 },
  other: { least: 0.925, most: 0.98, strictness: 20 },
}
/** Strength that holds coefficients of standardized features to 0. */
const RIDGE = 0.01
/** Outcomes of a set that are fitted to; of a binding set all. */
const MOST_OUTCOMES = 400
const STEPS = 1_500
/** Width of the sigmoid that counts what a radius holds, in logarithms of meters: at first, and at last. */
const SOFTNESS = { first: 0.5, last: 0.04 } as const
const RATE = 0.03
/** Of Adam (D. Kingma and J. Ba, 2015). */
const [DECAY, SQUARES_DECAY] = [0.9, 0.999]

/**
 * Returns coefficients whose radii hold about as often as they say on every single set, not only on the mean of all: a fit to
 * all outcomes together is too wide in a kind place and too narrow in a hard one. Minimizes the pinball loss of the logarithms, plus the
 * square of how far the share that each set holds is outside of its aim. That counts much more for binding sets: made-up towns differ in
 * what no scan shows, so that radii that were to hold in all of them would hold in none.
 */
export function fitBalanced(sets: readonly WeightedOutcomes[]): Calibration {
  const isOf = (first: number) => (set: WeightedOutcomes) => set.outcomes[0]?.features[first] === 1
  const fitted = (aim: Aim) => [
    ...fitKind(sets.filter(isOf(0)), 0, LEARNED_FEATURES, aim),
    ...fitKind(sets.filter(isOf(LEARNED_FEATURES)), LEARNED_FEATURES, FEATURES, aim),
  ]
  return { p68: fitted(AIM_68), p95: fitted(AIM_95) }
}

/** Features of one set, standardized and one row after the other, and what they are to predict. */
interface Rows {
  readonly features: Float64Array
  readonly logMeters: Float64Array
  readonly weight: number
  readonly isBinding: boolean
}

/** @returns coefficients of the features from `first` to before `end`, of which the first is 1 */
function fitKind(sets: readonly WeightedOutcomes[], first: number, end: number, aim: Aim): number[] {
  const size = end - first
  if (sets.length === 0) return new Array<number>(size).fill(0)
  const sampled = sets.map((set) => (set.isBinding ? set : { ...set, outcomes: spread(set.outcomes) }))
  const all = sampled.flatMap(({ outcomes }) => outcomes)
  const mean = (of: (outcome: Outcome) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length
  const centers = Array.from({ length: size }, (_, index) =>
    index === 0 ? 0 : mean(({ features }) => features[first + index] ?? 0),
  )
  const scales = centers.map((center, index) =>
    index === 0 ? 1 : Math.sqrt(mean(({ features }) => ((features[first + index] ?? 0) - center) ** 2)) || 1,
  )
  const rows = sampled.map(({ outcomes, weight, isBinding }): Rows => ({
    ...{ weight, isBinding },
    features: Float64Array.from(
      outcomes.flatMap(({ features }) =>
        centers.map((center, index) => ((features[first + index] ?? 0) - center) / (scales[index] ?? 1)),
      ),
    ),
    logMeters: Float64Array.from(outcomes, ({ errorMeters }) => Math.log(Math.max(1, errorMeters))),
  }))
  const coefficients = descended(rows, size, aim)
  const scaled = [...coefficients].map((value, index) => value / (scales[index] ?? 1))
  const moved = scaled.reduce((sum, value, index) => sum + value * (centers[index] ?? 0), 0)
  return scaled.with(0, (scaled[0] ?? 0) - moved)
}

function spread(outcomes: readonly Outcome[]): Outcome[] {
  const every = Math.max(1, outcomes.length / MOST_OUTCOMES)
  return outcomes.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every))
}

function descended(sets: readonly Rows[], size: number, aim: Aim): Float64Array {
  const coefficients = new Float64Array(size).fill(3, 0, 1)
  const [mean, squares] = [new Float64Array(size), new Float64Array(size)]
  for (let step = 1; step <= STEPS; step++) {
    const done = step / STEPS
    const softness = Math.max(SOFTNESS.last, SOFTNESS.first * (1 - done / 0.6))
    const gradient = gradientOf(sets, coefficients, aim, softness, Math.min(1, done / 0.4))
    const rate = RATE * Math.min(1, 1.02 - (done - 0.6) / 0.4)
    for (let index = 0; index < size; index++) {
      const slope = gradient[index] ?? 0
      const first = (mean[index] = DECAY * (mean[index] ?? 0) + (1 - DECAY) * slope)
      const second = (squares[index] =
        SQUARES_DECAY * (squares[index] ?? 0) + (1 - SQUARES_DECAY) * slope ** 2)
      const scale = Math.sqrt(second / (1 - SQUARES_DECAY ** step)) + 1e-8
      coefficients[index] = (coefficients[index] ?? 0) - (rate * (first / (1 - DECAY ** step))) / scale
    }
  }
  return coefficients
}

/** @param share of its strictness that counts, 0 to 1 */
function gradientOf(
  sets: readonly Rows[],
  coefficients: Float64Array,
  { quantile, binding, other }: Aim,
  softness: number,
  share: number,
): Float64Array {
  const size = coefficients.length
  const gradient = coefficients.map((value, index) => (index === 0 ? 0 : 2 * RIDGE * value))
  const total = sets.reduce((sum, { weight }) => sum + weight, 0)
  const bound = sets.filter(({ isBinding }) => isBinding).length
  for (const { features, logMeters, weight, isBinding } of sets) {
    const [ofLoss, ofShare] = [new Float64Array(size), new Float64Array(size)]
    let held = 0
    logMeters.forEach((value, row) => {
      let beyond = -value
      for (let index = 0; index < size; index++)
        beyond += (coefficients[index] ?? 0) * (features[row * size + index] ?? 0)
      const within = 1 / (1 + Math.exp(-beyond / softness))
      held += within
      const slope = (within * (1 - within)) / softness
      const loss = beyond > 0 ? 1 - quantile : -quantile
      for (let index = 0; index < size; index++) {
        const feature = features[row * size + index] ?? 0
        ofLoss[index] = (ofLoss[index] ?? 0) + loss * feature
        ofShare[index] = (ofShare[index] ?? 0) + slope * feature
      }
    })
    held /= logMeters.length
    const { least, most, strictness } = isBinding ? binding : other
    const outside = held - Math.min(most, Math.max(least, held))
    const part = weight / total
    const penalty = 2 * share * strictness * (isBinding ? 1 / bound : part) * outside
    for (let index = 0; index < size; index++)
      gradient[index] =
        (gradient[index] ?? 0) +
        (part * (ofLoss[index] ?? 0) + penalty * (ofShare[index] ?? 0)) / logMeters.length
  }
  return gradient
}
