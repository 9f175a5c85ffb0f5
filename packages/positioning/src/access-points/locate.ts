import type { KnownAccessPoint } from './access-point-model.js'
import { Candidates, staysWithin } from './candidates.js'
import { RobustMean } from './robust-mean.js'
import { readScan, type HeardAccessPoint, type Scan } from '../scans/scan.js'
import { scanWeight } from './signal-weight.js'
import { toCoordinates, type Coordinates, type Vector } from '../earth/sphere.js'

export interface LocateOptions {
  /** Number of usable access points that a scan needs, and of known ones that must agree; at least 1. */
  readonly minAccessPoints: number
}

/** Position of a scan, or the reason that it has none. */
export type Location =
  | (Coordinates & {
      readonly found: true
      /** Radius in meters of the circle that holds the true position with a probability of about 68 %. */
      readonly uncertaintyMeters: number
      /** Number of access points that it was computed from. */
      readonly used: number
    })
  | {
      readonly found: false
      /**
       * - `too_few_usable`: the scan itself has too few access points.
       * - `none_known`: none of them has a known position.
       * - `too_few_known`: too few have one, or too few of those lie near to each other.
       */
      readonly reason: 'too_few_usable' | 'none_known' | 'too_few_known'
      /** Access points in the scan that count. */
      readonly usable: number
    }

/** The most access points that are used: those that are heard in the smallest area say most about the place. */
const MAX_USED = 20
/** Added to the spread when access points are weighed, in meters: a survey is not more exact than that. */
const SURVEY_METERS = 10
/** Added to the spread when access points are compared with each other, in meters. */
const AGREEMENT_METERS = 40
/**
 * Spread that is expected of an access point before anything is observed, in meters; the observations that this counts, and those of one
 * access point that count at most in what is usual around there ({@link usualSpread}). That counts as `observations` itself.
 */
const PRIOR_SPREAD = { meters: 50, observations: 2, most: 10 }
/** Spreads below this, in meters, differ because access points do, and are used as they are. */
const SMALL_SPREAD_METERS = 25
/** Ratio of the error's 68th percentile to the root mean square of scatter and spread. Measured (see below). */
const CALIBRATION = 0.7

/**
 * Returns where a scan was taken.
 *
 * Takes the known access points that agree with each other ({@link Candidates.keepDensest}), of them the 20 with the
 * smallest spread, and their mean with the weights 1 / (s⁴ · (spread² + 10²)^1.25), s being the signal strength in dBm
 * (close to those of Mozilla's ichnaea, api/locate/wifi.py), made robust against access points that were moved ({@link RobustMean}).
 * Of few observations the spread comes out too small, so it is shrunk towards what is usual in the scan ({@link usualSpread}).
 *
 * Measured on held-out scans (median / 67 % / 95 % in meters; share of truths within the uncertainty): mall 8.2 / 10.9 /
 * 20.1, 79 %; UJIIndoorLoc 10.1 / 14.0 / 27.8, 76 %; IPIN 2023 14.3 / 16.1 / 20.6, 76 %; a mall of which a sixteenth was
 * surveyed 18.8 / 25.0 / 44.9, 61 %. With 30 % of the access points moved by up to 2 km the first two are 8.4 and 10.4.
 *
 * @param scan what the device heard, in any order, duplicates and unusable addresses included
 * @param known by BSSID; may contain more than those of the scan
 */
export function locate(
  scan: Iterable<HeardAccessPoint>,
  known: ReadonlyMap<number, KnownAccessPoint>,
  { minAccessPoints }: LocateOptions,
): Location {
  const heard = readScan(scan)
  const usable = heard.size
  if (usable < minAccessPoints) return { found: false, reason: 'too_few_usable', usable }
  const candidates = candidatesOf(heard, known)
  if (candidates.length === 0) return { found: false, reason: 'none_known', usable }
  candidates.keepDensest()
  if (candidates.length < minAccessPoints) return { found: false, reason: 'too_few_known', usable }
  return { found: true, ...meanPosition(candidates) }
}

/**
 * Returns the second half of {@link locate}: where access points that agree say that they were heard.
 *
 * @param agreeing at least one, in any order
 * @param explanation receives the BSSIDs that were used
 */
export function meanPosition(
  agreeing: Candidates,
  explanation?: { used: readonly number[] },
): Coordinates & { readonly uncertaintyMeters: number; readonly used: number } {
  const used = mostExact(agreeing)
  if (explanation) explanation.used = Array.from(used, (index) => agreeing.bssid(index))
  const usual = usualSpread(agreeing, used)
  const prior = PRIOR_SPREAD.observations * Math.max(0, 1 - SMALL_SPREAD_METERS ** 2 / usual)
  MEAN.clear()
  for (const index of used) {
    const spread = shrunk(agreeing.spreadMeters(index), agreeing.observations(index), usual, prior)
    const inexact = spread + SURVEY_METERS ** 2
    const weight =
      scanWeight(orUnknown(agreeing.signalDbm(index))) / (inexact * Math.sqrt(Math.sqrt(inexact)))
    const [x, y, z] = [agreeing.x(index), agreeing.y(index), agreeing.z(index)]
    MEAN.add(x, y, z, weight, spread + AGREEMENT_METERS ** 2)
  }
  const place = MEAN.place()
  const uncertaintyMeters = uncertainty(agreeing, used, place, usual)
  return { ...toCoordinates(place), uncertaintyMeters, used: used.length }
}

function orUnknown(signalDbm: number): number | undefined {
  return Number.isNaN(signalDbm) ? undefined : signalDbm
}

/** Of the call that runs: none waits for anything. */
const MEAN = new RobustMean(MAX_USED)

/** Returns the mean squared spread of access points, by their observations, in m²: in a street ten times that in a building. */
function usualSpread(agreeing: Candidates, used: Uint16Array): number {
  let [squares, total] = [PRIOR_SPREAD.observations * PRIOR_SPREAD.meters ** 2, PRIOR_SPREAD.observations]
  for (const index of used) {
    const observations = agreeing.observations(index)
    if (observations <= 1) continue
    const count = Math.min(PRIOR_SPREAD.most, observations)
    // The spread around their own mean is too small by this factor.
    squares += (count * agreeing.spreadMeters(index) ** 2) / (1 - 1 / observations)
    total += count
  }
  return squares / total
}

/** Returns a squared spread that is believed as much as it has observations, beside `usual`, which counts as `prior` observations. */
function shrunk(spreadMeters: number, observations: number, usual: number, prior: number): number {
  return (observations * spreadMeters ** 2 + prior * usual) / (observations + prior)
}

/** The numbers of the first access points, if there are no more than are used: lists of each length. */
const FIRST = Array.from({ length: MAX_USED + 1 }, (_, length) =>
  Uint16Array.from({ length }, (__, index) => index),
)

/** Returns which are used, by their numbers. */
function mostExact(agreeing: Candidates): Uint16Array {
  const first = FIRST[agreeing.length]
  if (first) return first
  const all = Uint16Array.from({ length: agreeing.length }, (_, index) => index)
  const byExactness = (one: number, other: number) =>
    agreeing.spreadMeters(one) - agreeing.spreadMeters(other) || agreeing.bssid(one) - agreeing.bssid(other)
  return all.sort(byExactness).subarray(0, MAX_USED)
}

/** Returns the known ones that do not move, those with the smallest spread first: the order depends on nothing else than what they are. */
function candidatesOf(heard: Scan, known: ReadonlyMap<number, KnownAccessPoint>): Candidates {
  const found: { readonly bssid: number; readonly accessPoint: KnownAccessPoint }[] = []
  for (const bssid of heard.keys()) {
    const accessPoint = known.get(bssid)
    if (accessPoint && staysWithin(accessPoint.spreadMeters)) found.push({ bssid, accessPoint })
  }
  const candidates = new Candidates()
  for (const { bssid, accessPoint } of found.sort(
    (a, b) => a.accessPoint.spreadMeters - b.accessPoint.spreadMeters || a.bssid - b.bssid,
  ))
    candidates.add(bssid, heard.get(bssid), accessPoint)
  return candidates
}

/**
 * Returns the radius that holds about 68 % of the truths: grows with how far the access points lie from the result, and with how
 * far each of them is heard. The latter is not believed on few observations: all from one spot look as if it were exact. Nor is
 * it below what a survey is exact to, however many there are.
 *
 * @param usual as {@link usualSpread}
 */
function uncertainty(agreeing: Candidates, used: Uint16Array, { x, y, z }: Vector, usual: number): number {
  let variance = 0
  let order = 0
  for (const index of used) {
    const spreadMeters = Math.max(agreeing.spreadMeters(index), SURVEY_METERS)
    const spread = shrunk(spreadMeters, agreeing.observations(index), usual, PRIOR_SPREAD.observations)
    variance += MEAN.shareOf(order++) * (agreeing.squaredDistance(index, x, y, z) + spread)
  }
  return CALIBRATION * Math.sqrt(variance)
}
