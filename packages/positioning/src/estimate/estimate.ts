import { isLearned, type Knowledge } from '../access-points/access-point-model.js'
import {
  candidatesOf,
  NEIGHBORHOOD_METERS,
  type Candidate,
  type Candidates,
  type KnowledgeByBssid,
} from '../access-points/candidates.js'
import {
  evidenceOfAll,
  fuse,
  type Coverage,
  type Sighting,
  type Evidence,
} from '../access-points/coverage.js'
import { meanPosition } from '../access-points/locate.js'
import { Plane } from '../earth/plane.js'
import { printMeters } from './print-meters.js'
import { estimateHeight } from '../heights/estimate-height.js'
import type { EstimatedHeight } from '../earth/height.js'
import { areOfRadios, countRadios, radioOf, radiosOf } from '../scans/radio.js'
import { NO_MATCHES, type ReferenceScans } from '../references/reference-scans.js'
import { readScan, type HeardAccessPoint, type Scan } from '../scans/scan.js'
import { fieldPosterior, type Posterior, type Fingerprints } from '../fields/signal-field.js'
import { UNKNOWN_SIGNAL_DBM } from '../fields/signal-model.js'
import { scanWeight } from '../access-points/signal-weight.js'
import { squaredDistance, type Coordinates, type Vector } from '../earth/sphere.js'
import {
  DEFAULT_CALIBRATION,
  featuresOf,
  positionFeaturesOf,
  radiusOf,
  type ScanParts,
} from './uncertainty.js'

export interface EstimateOptions {
  /** Number of radios that a scan needs, and of known ones that must agree; at least 2 if the known ones belong to others. */
  readonly minRadios: number
  /** Percentage of scans whose radius should hold the truth: 50 to 99. */
  readonly confidence: number
  /** The reference scans of the project, where it has some. */
  readonly references?: ReferenceScans | undefined
  /** Receives the BSSIDs that were used. */
  readonly explanation?: { used: readonly number[] } | undefined
}

/** Position of a scan, or the reason that it has none. */
export type Estimate =
  | (Coordinates & {
      readonly found: true
      /** Radius in meters that holds the truth as often as asked for. */
      readonly radiusMeters: number
      /** BSSIDs of the scan that are known and agree. */
      readonly agreeing: readonly number[]
      /** Number of them that it was computed from. */
      readonly used: number
      /** The most that went into it: positions alone, coverage, signal fields, or reference scans. */
      readonly tier: 'mean' | 'coverage' | 'field' | 'fingerprint'
      /** Input of the radius, to refit {@link DEFAULT_CALIBRATION} with. */
      readonly features: readonly number[]
      /** Height, if reference scans say so. */
      readonly height?: EstimatedHeight | undefined
    })
  | {
      readonly found: false
      /** As in {@link locate}, but of radios. */
      readonly reason: 'too_few_usable' | 'none_known' | 'too_few_known'
      /** Radios in the scan that count. */
      readonly usable: number
    }

/** The most access points whose coverage is fused. */
const MOST_FUSED = 40
/** Weight of reference scans against signals: 1 to 3, with the square of the similarity, and less if few are known. */
const FINGERPRINT_WEIGHT = { least: 1, alike: 2, enough: 8 } as const
/** An access point that is further from reference scans than this, beyond three standard deviations of itself, has moved; in meters. */
const MOVED_METERS = 100
/**
 * Unknown access points beside a single known radio at most: a survey that observed it there observed its neighbors, too. Measured
 * in made-up towns: with one unknown half of all are off by less than 59 to 213 m, with two by 225 to 483, with three and more
 * by 254 to 757.
 */
const MOST_UNKNOWN_BESIDE_ONE = 2
/** An access point that three observations put into so small an area is near whatever else is heard; in meters (root mean square). */
const SMALL_AREA = { meters: 25, observations: 3 } as const
/** Highest probability that a single known radio moves. */
const MOVES_RATHER = 0.5
/**
 * The similarity at which the posterior and the mean count the same, how fast that changes, and how much the gate opens with the logarithm
 * of the breadth: the mean of access points that are heard far away says little.
 */
const GATE = { middle: 0.35, width: 0.15, opening: 0.3 } as const

/**
 * Returns where a scan was taken, by whatever is known of each access point.
 *
 * If only positions are known this is {@link locate}. Else x = w · P + (1 − w) · M: P is the mean of the posterior over
 * signal fields and reference scans ({@link fieldPosterior}), M the mean of all positions with the weights 1 / s⁴, and
 * w = 1 / (1 + exp(−(similarity − 0.35) / 0.15 − 0.3 ln b)), b being the breadth of {@link evidenceOfAll}. Far from everything that was
 * surveyed signals mislead, and the mean does not.
 *
 * Access points count if their addresses are usable, each once, in the neighborhood where most of them agree. At least
 * `minRadios` radios have to be heard and known: one box announces many addresses, so counting those would let a single
 * box be looked up.
 *
 * @param scan what the device heard, in any order, duplicates and unusable addresses included
 * @param known by BSSID; may contain more than those of the scan
 */
export function estimate(
  scan: Iterable<HeardAccessPoint>,
  known: KnowledgeByBssid,
  options: EstimateOptions,
): Estimate {
  return estimateOf(readScan(scan), known, options)
}

/** {@link estimate} of a scan that was read already. */
export function estimateOf(heard: Scan, known: KnowledgeByBssid, options: EstimateOptions): Estimate {
  if (!areOfRadios(heard.keys(), options.minRadios)) return notFound('too_few_usable', heard)
  const candidates = candidatesOf(heard, known)
  if (candidates.length === 0) return notFound('none_known', heard)
  const radios = agreeingRadios(candidates, options.minRadios)
  if (radios === 0 || (radios === 1 && isContradicted(heard, candidates.toList())))
    return notFound('too_few_known', heard)
  return estimateAmong(heard, candidates, options, radios)
}

/**
 * Leaves only candidates that agree. One is enough if it is the only one that is known. Of several that contradict each other any
 * may have moved.
 *
 * @returns how many radios they are of; 0 if they are too few
 */
export function agreeingRadios(candidates: Candidates, minRadios: number): number {
  const among = candidates.radios()
  const least = among > 1 ? Math.max(2, minRadios) : minRadios
  const radios = candidates.keepDensest() ? among : candidates.radios()
  return radios < least ? 0 : radios
}

/** Returns whether the rest of a scan speaks against its only known radio: it may have moved, or move. */
function isContradicted(heard: Scan, agreeing: readonly Candidate[]): boolean {
  const isAlone = heard.size - agreeing.length > MOST_UNKNOWN_BESIDE_ONE
  return agreeing.every(({ known }) => (isAlone && hasNeighbors(known)) || movesRather(known))
}

/**
 * Returns whether what is near an access point should be known, too. A list may say where a single one is; indoors a sparse survey
 * leaves out most of those that are near, and one of them says enough.
 */
function hasNeighbors(known: Knowledge): boolean {
  const { spreadMeters, observations } = known
  if (!isLearned(known) && observations <= 1) return false
  return observations < SMALL_AREA.observations || spreadMeters > SMALL_AREA.meters
}

function movesRather(known: Knowledge): boolean {
  return isLearned(known) && known.moving > MOVES_RATHER
}

/**
 * Returns the second half of {@link estimate}: where access points that agree say that the scan was taken.
 *
 * @param agreeing at least one
 * @param radios how many radios they are of
 */
export function estimateAmong(
  heard: Scan,
  agreeing: Candidates,
  options: EstimateOptions,
  radios = agreeing.radios(),
): Estimate {
  if (!agreeing.hasLearned) return positionsEstimate(agreeing, options, heard.size, radios)
  const parts = { heard: heard.size, agreeing: agreeing.length, radios }
  return learnedEstimate(heard, agreeing.toList(), options, parts)
}

/** A position. */
export type Found = Extract<Estimate, { found: true }>
type NotFound = Extract<Estimate, { found: false }>

function notFound(reason: NotFound['reason'], heard: Scan): NotFound {
  return { found: false, reason, usable: countRadios(heard.keys()) }
}

function bssidsOf(candidates: readonly Candidate[]): number[] {
  return candidates.map(({ bssid }) => bssid)
}

/**
 * Returns the same where nothing but their positions is known.
 *
 * @param heard access points of the scan that count
 */
export function positionsEstimate(
  agreeing: Candidates,
  { confidence, explanation }: Omit<EstimateOptions, 'minRadios'>,
  heard: number,
  radios: number,
): Found {
  const { lat, lon, uncertaintyMeters, used } = meanPosition(agreeing, explanation)
  let strongestDbm = -Infinity
  for (let index = 0; index < agreeing.length; index++) {
    const signalDbm = agreeing.signalDbm(index)
    strongestDbm = Math.max(strongestDbm, Number.isNaN(signalDbm) ? UNKNOWN_SIGNAL_DBM : signalDbm)
  }
  const parts = { heard, agreeing: agreeing.length, radios }
  const features = positionFeaturesOf(parts, uncertaintyMeters, strongestDbm)
  const radiusMeters = radiusOf(features, DEFAULT_CALIBRATION, confidence)
  return { found: true, lat, lon, radiusMeters, agreeing: agreeing.bssids(), used, tier: 'mean', features }
}

function learnedEstimate(
  heard: Scan,
  agreeing: readonly Candidate[],
  { references, confidence, explanation }: EstimateOptions,
  parts: ScanParts,
): Estimate {
  const mean = meanOf(agreeing)
  const radios = radiosOf(bssidsOf(agreeing))
  const plane = new Plane(mean.place)
  const sightings = agreeing.map((candidate) => sightingOf(candidate, plane, radios))
  const { evidence: all, breadth } = evidenceOfAll(sightings)
  const stretch = Math.cbrt(breadth)
  const { fingerprints, similarity, height } = fingerprintsOf(
    heard,
    plane,
    references,
    agreeing.length,
    stretch,
  )
  const fused = all.sort((a, b) => a.variance - b.variance || a.bssid - b.bssid).slice(0, MOST_FUSED)
  const evidence = fingerprints ? believed(fused, fingerprints) : fused
  if (explanation) explanation.used = evidence.map(({ bssid }) => bssid)
  const coverage = fuse(evidence)
  const posterior = fieldPosterior(evidence, coverage, fingerprints, stretch) ?? withoutFields(coverage)
  const trust = gate(fingerprints ? (similarity - GATE.middle) / GATE.width : WITHOUT_REFERENCES, breadth)
  const [x, y] = [trust * posterior.x, trust * posterior.y]
  const features = featuresOf({
    ...{ coverage, posterior, trust, similarity, ...parts },
    meanVariance: mean.variance,
    isCompared: fingerprints !== undefined,
  })
  return {
    found: true,
    ...plane.toCoordinates(x, y),
    radiusMeters: radiusOf(features, DEFAULT_CALIBRATION, confidence),
    agreeing: bssidsOf(agreeing),
    used: evidence.length,
    tier: fingerprints ? 'fingerprint' : tierOf(evidence),
    features,
    height,
  }
}

/**
 * Returns those that do not lie far from where reference scans like this one were taken: an access point that has moved since is
 * still heard with its neighbors in them. Returns all if none would be left.
 */
function believed(evidence: readonly Evidence[], { fingerprints }: Fingerprints): readonly Evidence[] {
  const x = fingerprints.reduce((sum, fingerprint) => sum + fingerprint.weight * fingerprint.x, 0)
  const y = fingerprints.reduce((sum, fingerprint) => sum + fingerprint.weight * fingerprint.y, 0)
  const near = evidence.filter(
    (one) => Math.hypot(one.x - x, one.y - y) < 3 * Math.sqrt(2 * one.variance) + MOVED_METERS,
  )
  return near.length > 0 ? near : evidence
}

/** Logarithm of the odds of the posterior where no reference scan can be compared with: it counts three times as much as the mean. */
const WITHOUT_REFERENCES = Math.log(3)

function gate(logOdds: number, breadth: number): number {
  return 1 / (1 + Math.exp(-logOdds - GATE.opening * Math.log(breadth)))
}

/** Returns the mean of all positions with the weights 1 / s⁴, as ichnaea's search has them, and their variance on an axis. */
function meanOf(candidates: readonly Candidate[]): { readonly place: Vector; readonly variance: number } {
  const weights = candidates.map(({ signalDbm }) => scanWeight(signalDbm))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weighted = (pick: (candidate: Candidate) => number) =>
    candidates.reduce((sum, candidate, index) => sum + (weights[index] ?? 0) * pick(candidate), 0) / total
  const place = {
    x: weighted((candidate) => candidate.place.x),
    y: weighted((candidate) => candidate.place.y),
    z: weighted((candidate) => candidate.place.z),
  }
  return { place, variance: weighted((candidate) => squaredDistance(candidate.place, place)) / 2 }
}

function sightingOf(
  { bssid, signalDbm = UNKNOWN_SIGNAL_DBM, known, place }: Candidate,
  plane: Plane,
  radios: ReadonlyMap<number, number>,
): Sighting {
  const staying = isLearned(known) ? 1 - known.moving : 1
  return {
    bssid,
    signalDbm,
    known,
    share: staying / (radios.get(radioOf(bssid)) ?? 1),
    east: plane.east(place),
    north: plane.north(place),
    turn: plane.turnedAt(place),
  }
}

/** Result of a comparison of a scan with reference scans. */
interface Comparison {
  readonly fingerprints: Fingerprints | undefined
  readonly similarity: number
  readonly height: EstimatedHeight | undefined
}

/** Returns the reference scans that are like this one, and what they say of its height. Those further away than access points can agree say nothing. */
function fingerprintsOf(
  heard: Scan,
  plane: Plane,
  references: ReferenceScans | undefined,
  known: number,
  stretch: number,
): Comparison {
  const { matches, similarity, floorNames } = references?.match(heard) ?? NO_MATCHES
  const near = matches
    .map((match) => ({ ...match, x: plane.east(match.place), y: plane.north(match.place) }))
    .filter(({ x, y }) => Math.hypot(x, y) < 2 * NEIGHBORHOOD_METERS)
  if (near.length === 0) return { fingerprints: undefined, similarity: 0, height: undefined }
  const alike = FINGERPRINT_WEIGHT.alike * similarity ** 2 * Math.min(1, known / FINGERPRINT_WEIGHT.enough)
  const meters = stretch * printMeters(near, similarity)
  const fingerprints = { fingerprints: near, meters, weight: FINGERPRINT_WEIGHT.least + alike }
  return { fingerprints, similarity, height: estimateHeight(near, similarity, floorNames, heard.size) }
}

function withoutFields({ x, y, fusedVariance, scatter, effective }: Coverage): Posterior {
  return { x, y, deviation: Math.sqrt(fusedVariance + scatter / effective) }
}

function tierOf(evidence: readonly Evidence[]): 'coverage' | 'field' {
  return evidence.filter(({ known }) => isLearned(known)).length < 2 ? 'coverage' : 'field'
}
