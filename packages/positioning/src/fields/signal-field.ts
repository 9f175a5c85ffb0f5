import { CELL_FIELDS, isLearned, type AccessPointModel } from '../access-points/access-point-model.js'
import type { Coverage, Evidence } from '../access-points/coverage.js'
import { fastLog } from '../numbers/fast-log.js'
import { KERNEL_FIELDS, Raster } from './raster.js'
import { SignalEvidence, type Field } from './signal-evidence.js'

/** A reference scan that is like the one that is asked for, on the plane of the query. */
export interface Fingerprint {
  readonly x: number
  readonly y: number
  /** They sum to 1. */
  readonly weight: number
}

/** Reference scans as a mixture of normal distributions around them. */
export interface Fingerprints {
  readonly fingerprints: readonly Fingerprint[]
  /** Standard deviation of each on an axis, in meters. */
  readonly meters: number
  /** Weight of the logarithm of the mixture. */
  readonly weight: number
}

/** Position of the device: the mean of the posterior, and its standard deviation on an axis, in meters. */
export interface Posterior {
  readonly x: number
  readonly y: number
  readonly deviation: number
}

/** The most access points that are used: those that say most exactly where they are heard. */
const MOST_USED = 20
/** Signals are alike within 6 m, times the cube root of the breadth of {@link evidenceOfAll}. */
const KERNEL_VARIANCE = 6 ** 2
/** A cell is worth no more observations than this. */
const MOST_IN_A_CELL = 3
/**
 * People are where people measured: (0.02 + exp(−d² / 2·15²))^1.5, d being the distance to the nearest cell. The 15 m grow as the 6 m do.
 */
const SURVEYED_VARIANCE = 15 ** 2
const SURVEYED_FLOOR = 0.02
const SURVEYED_EXPONENT = 1.5
/** The fused coverage is a piece of evidence too, half as strong as its most exact one and never more exact than 8 m. */
const ANCHOR_WEIGHT = 0.5
const ANCHOR_VARIANCE = 8 ** 2
/** The mixture of reference scans never rules a place out. */
const PRINT_FLOOR = 0.01
/** Nodes on each side of the rasters that search, and half of the side that is searched, in meters. */
const SEARCH = { nodes: 9, least: 40, most: 250 } as const
/**
 * If the mixture of reference scans is narrower than this (standard deviation on an axis in meters), the device is within so many of
 * its standard deviations: nothing has to be searched. Of one access point alone reference scans agree by chance.
 */
const AGREED = { meters: 10, deviations: 2.5, nodes: 7 } as const

/** Shares are rounded to parts of this, so that many access points have the same one (see {@link SignalEvidence}). */
const SHARES = 12

/**
 * Returns where the device is, by the signals that were measured around there.
 *
 * For each access point the expected signal at x is μ(x) = [Σ k(x, c) r_c + κ (P − 10 n log₁₀ d)] / (Σ k + κ): the mean of
 * its cells with a Gaussian kernel of 6 m, and path loss if there are none. Residuals are distributed as Student's t
 * (ν = 6, variance 5² + 7² κ / (Σ k + κ)), around an unknown offset of the device. Posterior on a raster where reference scans
 * agree, else in two zoom levels, with the survey's density, the fused coverage and the reference scans as further evidence (location
 * study, FLD and HYB).
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
  const places = { fields, coverage, fingerprints, surveyedVariance: SURVEYED_VARIANCE * stretch ** 2 }
  const agreed = fingerprints && fields.length > 1 ? momentsOf(fingerprints) : undefined
  return agreed && agreed.deviation < AGREED.meters ? around(agreed, places) : searched(places)
}

/** Returns the mean of the mixture of reference scans, and its standard deviation on an axis. */
function momentsOf({ fingerprints, meters }: Fingerprints): Posterior {
  let [x, y, squares] = [0, 0, 0]
  for (const fingerprint of fingerprints) {
    x += fingerprint.weight * fingerprint.x
    y += fingerprint.weight * fingerprint.y
    squares += fingerprint.weight * (fingerprint.x ** 2 + fingerprint.y ** 2)
  }
  return { x, y, deviation: Math.sqrt(Math.max(0, squares - x * x - y * y) / 2 + meters ** 2) }
}

function around({ x, y, deviation }: Posterior, places: Places): Posterior {
  SMALL_RASTER.layOver(x, y, AGREED.deviations * deviation)
  return SMALL_RASTER.moments(logPosterior(SMALL_RASTER, places))
}

function searched(places: Places): Posterior {
  const { x, y, leastVariance, scatter } = places.coverage
  const spread = 2.2 * Math.sqrt(leastVariance) + 1.5 * Math.sqrt(scatter)
  const half = Math.min(SEARCH.most, Math.max(SEARCH.least, spread))
  RASTER.layOver(x, y, half)
  const rough = RASTER.moments(logPosterior(RASTER, places))
  const near = Math.min(half, Math.max(3 * rough.deviation, 2 * RASTER.step))
  RASTER.layOver(rough.x, rough.y, near)
  return RASTER.moments(logPosterior(RASTER, places))
}

/** Of one query at a time: they are synchronous. */
const RASTER = new Raster(SEARCH.nodes)
const SMALL_RASTER = new Raster(AGREED.nodes)

type Learned = Evidence & { readonly known: AccessPointModel }

function chosen(evidence: readonly Evidence[], { x, y }: Coverage): Learned[] {
  return evidence
    .filter((one): one is Learned => isLearned(one.known))
    .filter((one) => Math.hypot(one.x - x, one.y - y) < 3 * Math.sqrt(2 * one.variance) + 20)
    .sort((a, b) => a.variance - b.variance || a.bssid - b.bssid)
    .slice(0, MOST_USED)
    .sort((a, b) => a.share - b.share)
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

/** Input of a posterior. */
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
  const { xs, ys, side } = raster
  const logs = new SignalEvidence(raster, fields).logs()
  if (fingerprints) addFingerprints(raster, logs, fingerprints)
  addSurvey(raster, logs, fields, surveyedVariance)
  const variance = Math.max(coverage.leastVariance, ANCHOR_VARIANCE)
  for (let row = 0, node = 0; row < side; row++) {
    const dy = (ys[row] ?? 0) - coverage.y
    for (let column = 0; column < side; column++, node++) {
      const dx = (xs[column] ?? 0) - coverage.x
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
