import { densestNeighborhood } from './densest-neighborhood.js'
import { RobustMean } from './robust-mean.js'
import { readScan, type HeardAccessPoint, type Scan } from './scan.js'
import { scanWeight } from './signal-weight.js'
import { squaredDistance, toCoordinates, toVector, type Coordinates, type Vector } from './sphere.js'

/** What is known of an access point. */
export interface KnownAccessPoint extends Coordinates {
  /** Weighted root mean square of the distances between its observations and its position, in meters. */
  readonly spreadMeters: number
  /** How many observations the position comes from, at least 1. */
  readonly observations: number
  /** Whether its owner has declared the position, instead of observed. Missing: no, or not known any more. */
  readonly isDeclared?: boolean | undefined
}

export interface LocateOptions {
  /** How many usable access points a scan needs, and how many known ones have to agree; at least 1. */
  readonly minAccessPoints: number
}

/** Where a scan was taken, or why that cannot be said. */
export type Location =
  | (Coordinates & {
      readonly found: true
      /** Radius in meters of the circle that holds the true position with a probability of about 68 %. */
      readonly uncertaintyMeters: number
      /** How many access points went into it. */
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

/** Access points further apart than this cannot have been heard in one place, in meters (as in Mozilla's ichnaea). */
const NEIGHBORHOOD_METERS = 500
/** What was heard over more than this, in meters (root mean square), has moved or moves: it has no position. */
const MAX_SPREAD_METERS = 500
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
/** Where spreads are smaller than this, in meters, they differ because access points do, and are believed as they are. */
const SMALL_SPREAD_METERS = 25
/** Ratio of the error's 68th percentile to the root mean square of scatter and spread. Measured (see below). */
const CALIBRATION = 0.7

/** An access point that was heard, and where it is. */
export interface PlacedAccessPoint {
  readonly bssid: number
  /** As in {@link HeardAccessPoint}. */
  readonly signalDbm: number | undefined
  readonly known: KnownAccessPoint
  /** Of what is known. */
  readonly place: Vector
}

/**
 * Returns where a scan was taken.
 *
 * Takes the known access points that agree with each other ({@link densestNeighborhood}), of them the 20 with the
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
  const agreeing = densestNeighborhood(candidates, NEIGHBORHOOD_METERS)
  if (agreeing.length < minAccessPoints) return { found: false, reason: 'too_few_known', usable }
  return { found: true, ...meanPosition(agreeing) }
}

/**
 * Returns the second half of {@link locate}: where access points that agree say that they were heard.
 *
 * @param agreeing at least one, in any order
 * @param explanation receives the BSSIDs that were used
 */
export function meanPosition(
  agreeing: readonly PlacedAccessPoint[],
  explanation?: { used: readonly number[] },
): Coordinates & { readonly uncertaintyMeters: number; readonly used: number } {
  const used = mostExact(agreeing)
  if (explanation) explanation.used = used.map(({ bssid }) => bssid)
  const usual = usualSpread(used)
  const prior = PRIOR_SPREAD.observations * Math.max(0, 1 - SMALL_SPREAD_METERS ** 2 / usual)
  MEAN.clear()
  for (const { signalDbm, known, place } of used) {
    const spread = shrunk(known.spreadMeters, known.observations, usual, prior)
    const inexact = spread + SURVEY_METERS ** 2
    const weight = scanWeight(signalDbm) / (inexact * Math.sqrt(Math.sqrt(inexact)))
    MEAN.add(place, weight, spread + AGREEMENT_METERS ** 2)
  }
  const place = MEAN.place()
  const uncertaintyMeters = uncertainty(used, place, usual)
  return { ...toCoordinates(place), uncertaintyMeters, used: used.length }
}

/** Of the call that runs: none waits for anything. */
const MEAN = new RobustMean(MAX_USED)

/** Returns the mean squared spread of access points, by their observations, in m²: in a street ten times that in a building. */
function usualSpread(used: readonly PlacedAccessPoint[]): number {
  let [squares, total] = [PRIOR_SPREAD.observations * PRIOR_SPREAD.meters ** 2, PRIOR_SPREAD.observations]
  for (const { known } of used) {
    const { spreadMeters, observations } = known
    if (observations <= 1) continue
    const count = Math.min(PRIOR_SPREAD.most, observations)
    // The spread around their own mean is too small by this factor.
    squares += (count * spreadMeters ** 2) / (1 - 1 / observations)
    total += count
  }
  return squares / total
}

/** Returns a squared spread that is believed as much as it has observations, beside `usual`, which counts as `prior` observations. */
function shrunk(spreadMeters: number, observations: number, usual: number, prior: number): number {
  return (observations * spreadMeters ** 2 + prior * usual) / (observations + prior)
}

function mostExact(agreeing: readonly PlacedAccessPoint[]): readonly PlacedAccessPoint[] {
  return agreeing.length > MAX_USED ? [...agreeing].sort(byExactness).slice(0, MAX_USED) : agreeing
}

/** Returns the known ones that do not move. */
function candidatesOf(heard: Scan, known: ReadonlyMap<number, KnownAccessPoint>): PlacedAccessPoint[] {
  const candidates: PlacedAccessPoint[] = []
  for (const [bssid, signalDbm] of heard) {
    const accessPoint = known.get(bssid)
    if (!accessPoint || accessPoint.spreadMeters > MAX_SPREAD_METERS) continue
    candidates.push({ bssid, signalDbm, place: toVector(accessPoint), known: accessPoint })
  }
  return candidates.sort(byExactness)
}

/** Returns those with the smallest spread first. The order depends on nothing else than what they are. */
function byExactness(a: PlacedAccessPoint, b: PlacedAccessPoint): number {
  return a.known.spreadMeters - b.known.spreadMeters || a.bssid - b.bssid
}

/**
 * Returns the radius that holds about 68 % of the truths: grows with how far the access points lie from the result, and with how
 * far each of them is heard. The latter is not believed on few observations: all from one spot look as if it were exact. Nor is
 * it below what a survey is exact to, however many there are.
 *
 * @param usual as {@link usualSpread}
 */
function uncertainty(used: readonly PlacedAccessPoint[], place: Vector, usual: number): number {
  let variance = 0
  let index = 0
  for (const { known, place: ofOne } of used) {
    const spreadMeters = Math.max(known.spreadMeters, SURVEY_METERS)
    const spread = shrunk(spreadMeters, known.observations, usual, PRIOR_SPREAD.observations)
    variance += MEAN.shareOf(index++) * (squaredDistance(ofOne, place) + spread)
  }
  return CALIBRATION * Math.sqrt(variance)
}
