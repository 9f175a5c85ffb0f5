import {
  BAND_CENTERS_DBM,
  BAND_FIELDS,
  BANDS,
  bandOf,
  isLearned,
  type Knowledge,
} from './access-point-model.js'

/** An access point that was heard, on the plane of a query. */
export interface Sighting {
  readonly bssid: number
  readonly signalDbm: number
  readonly known: Knowledge
  /** Its weight: 1, divided by the BSSIDs of its radio in the scan, times the probability that it does not move. */
  readonly share: number
  /** Its position, in meters on the plane. */
  readonly east: number
  readonly north: number
  /** Angle between its east and that of the plane, in radians. */
  readonly turn: number
}

/** Position of the device according to a sighting: a mean, and a variance on an axis in m². */
export interface Evidence extends Sighting {
  readonly x: number
  readonly y: number
  readonly variance: number
}

/** Distance in meters (standard deviation on an axis) at which two scans receive an access point in the same band, by band. */
const PRIOR_METERS = [12, 14, 18, 26, 32] as const
/** The same for an access point of which no signals are known. */
const WEAKEST_METERS = 32
/** Observations that this counts. */
const PRIOR_OBSERVATIONS = 2
/** Variance of an observed position in m²: surveys are not more exact than 5 m. */
const SURVEY_VARIANCE = 25
/** Difference to the received signal over which the weight of a band decays, in dB. */
const BAND_DECAY_DB = 6
/** A difference of signals beyond this says nothing more, in dB. */
const MOST_DB = 40
/** Exponent of the observations of a band in its weight: many say hardly more than a few. */
const COUNT_EXPONENT = 0.2

/** Observations of one access point that count in {@link breadthOf} at most, and those that count as V₀. */
const BREADTH = { most: 10, prior: 3 } as const

/** Position of the device according to a sighting, before its variance is shrunk. */
interface Area {
  readonly sighting: Sighting
  readonly x: number
  readonly y: number
  /** Variance of its observations on an axis, and V₀, in m². */
  readonly measured: number
  readonly prior: number
  readonly observations: number
}

/** Returns where one access point alone says that the device is ({@link evidenceOfAll}), where areas are as large as V₀. */
export function evidenceOf(sighting: Sighting): Evidence {
  return shrunkArea(areaOf(sighting), 1)
}

/**
 * Returns where access points are heard at a signal strength, and their breadth: how many times as large as V₀ these areas are. V₀ was
 * measured in buildings. In a street an access point is heard ten times as far, and of one that was observed once or twice only the
 * others say so. So variances are shrunk towards V₀ times the breadth, as if that were two observations.
 *
 * @returns evidence in the order of the sightings; the breadth is at least 1
 */
export function evidenceOfAll(sightings: readonly Sighting[]): {
  readonly evidence: Evidence[]
  readonly breadth: number
} {
  const areas = sightings.map(areaOf)
  const breadth = breadthOf(areas)
  return { evidence: areas.map((area) => shrunkArea(area, breadth)), breadth }
}

/** Returns the mean ratio of variance and V₀ over all access points that were observed more than once; at least 1. */
function breadthOf(areas: readonly Area[]): number {
  let [ratios, total] = [BREADTH.prior as number, BREADTH.prior as number]
  for (const { measured, prior, observations } of areas) {
    if (observations <= 1) continue
    const count = Math.min(BREADTH.most, observations)
    // The variance around their own mean is too small by this factor.
    total += count * (1 - 1 / observations)
    ratios += (count * measured) / prior
  }
  return Math.max(1, ratios / total)
}

function shrunkArea({ sighting, x, y, measured, prior, observations }: Area, breadth: number): Evidence {
  const { bssid, signalDbm, known, share, east, north, turn } = sighting
  const variance = shrunk(measured, prior * breadth, observations)
  // Spreading objects takes several times as long.
  return { bssid, signalDbm, known, share, east, north, turn, x, y, variance }
}

/**
 * Returns where an access point is heard at a signal strength: the mixture of its bands, weighted with
 * n^0.2 · exp(−|band − s| / 6 dB) / V₀, and their variance within and between (location study, RCM). If only a position is known, its
 * spread is the variance of one band of any signal.
 */
function areaOf(sighting: Sighting): Area {
  const { known, signalDbm, east, north, turn } = sighting
  const band = bandOf(signalDbm)
  if (!isLearned(known)) {
    const { spreadMeters, observations } = known
    const [measured, prior] = [spreadMeters ** 2 / 2, WEAKEST_METERS ** 2]
    return { sighting, x: east, y: north, measured, prior, observations }
  }
  const { bands } = known
  let [total, x, y, squares, prior, observations] = [0, 0, 0, 0, 0, 0]
  for (let other = 0; other < BANDS; other++) {
    const at = other * BAND_FIELDS
    const count = bands[at] ?? 0
    if (count <= 0) continue
    const variance = (PRIOR_METERS[Math.max(band, other)] ?? 0) ** 2
    const apartDb = Math.min(MOST_DB, Math.abs((BAND_CENTERS_DBM[other] ?? 0) - signalDbm))
    const weight = (countWeight(count) * Math.exp(-apartDb / BAND_DECAY_DB)) / variance
    const bandEast = bands[at + 1] ?? 0
    const bandNorth = bands[at + 2] ?? 0
    total += weight
    x += weight * bandEast
    y += weight * bandNorth
    squares += weight * ((bands[at + 3] ?? 0) + (bandEast ** 2 + bandNorth ** 2) / 2)
    prior += weight * variance
    observations += count
  }
  x /= total
  y /= total
  const measured = Math.max(0, squares / total - (x ** 2 + y ** 2) / 2)
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return {
    sighting,
    x: east + cos * x - sin * y,
    y: north + sin * x + cos * y,
    measured,
    prior: prior / total,
    observations,
  }
}

function countWeight(count: number): number {
  return count < COUNT_WEIGHTS.length && count === Math.trunc(count)
    ? (COUNT_WEIGHTS[count] ?? 0)
    : count ** COUNT_EXPONENT
}

/** Of 0, 1, 2 … observations, which most bands have few of. */
const COUNT_WEIGHTS = Float64Array.from({ length: 256 }, (_, count) => count ** COUNT_EXPONENT)

function shrunk(measured: number, prior: number, observations: number): number {
  const mean = (PRIOR_OBSERVATIONS * prior + observations * measured) / (PRIOR_OBSERVATIONS + observations)
  return mean * (1 + 0.5 / observations) + SURVEY_VARIANCE
}

/** The position of a device from all evidence, and how sure it is. */
export interface Coverage {
  readonly x: number
  readonly y: number
  /** Variance of the precision-weighted mean if all were right and independent, in m². */
  readonly fusedVariance: number
  /** Variance of the most exact piece of evidence, in m². */
  readonly leastVariance: number
  /** Weighted variance of the evidence around the place, in m². */
  readonly scatter: number
  /** Number of equal pieces of evidence of the same total weight: (Σw)² / Σw². */
  readonly effective: number
}

/** Degrees of freedom of Student's t. */
const DEGREES = 4
const MEDIAN_STEPS = 10
const MEAN_STEPS = 12
/** In the geometric median distances below this, in meters, do not add weight. */
const MEDIAN_FLOOR = 5
/** A step of less than this, in meters, is the last. */
const SETTLED = 0.1

/**
 * Fuses evidence: iteratively reweighted least squares with the weights share / V² · (ν + 2) / (ν + d² / V) of Student's t,
 * from the weighted geometric median (Weiszfeld). Squared precisions, because V is itself uncertain (location study, RCM).
 *
 * @param evidence at least one
 */
export function fuse(evidence: readonly Evidence[]): Coverage {
  let place = weighted(evidence, () => 1)
  for (let step = 0; step < MEDIAN_STEPS; step++) {
    const from = place
    // `Math.hypot` takes several times as long.
    place = weighted(evidence, ({ x, y }) => {
      const squared = (x - from.x) ** 2 + (y - from.y) ** 2
      return 1 / Math.max(MEDIAN_FLOOR, Math.sqrt(squared))
    })
  }
  for (let step = 0; step < MEAN_STEPS; step++) {
    const from = place
    place = weighted(evidence, (one) => {
      const squared = (one.x - from.x) ** 2 + (one.y - from.y) ** 2
      return (DEGREES + 2) / (DEGREES + squared / one.variance)
    })
    if (Math.hypot(place.x - from.x, place.y - from.y) < SETTLED) break
  }
  let [precision, leastVariance] = [0, Infinity]
  for (const one of evidence) {
    precision += one.share / one.variance
    leastVariance = Math.min(leastVariance, one.variance)
  }
  return { ...place, fusedVariance: 1 / precision, leastVariance }
}

function weighted(evidence: readonly Evidence[], factor: (one: Evidence) => number) {
  let [x, y, squares, total, totalOfSquares] = [0, 0, 0, 0, 0]
  for (const one of evidence) {
    const weight = (one.share / one.variance ** 2) * factor(one)
    total += weight
    totalOfSquares += weight * weight
    x += weight * one.x
    y += weight * one.y
    squares += weight * (one.x ** 2 + one.y ** 2)
  }
  x /= total
  y /= total
  const scatter = Math.max(0, (squares / total - x * x - y * y) / 2)
  return { x, y, scatter, effective: total ** 2 / totalOfSquares }
}
