import type { Knowledge, KnownAccessPoint } from '../access-points/access-point-model.js'
import { Candidates, stays, staysWithin, UnsortedCandidates } from '../access-points/candidates.js'
import {
  agreeingRadios,
  estimateAmong,
  estimateOf,
  positionsEstimate,
  type Estimate,
  type EstimateOptions,
  type Found,
} from './estimate.js'
import { widened, widenedRadius } from './missing-signals.js'
import type { Scan } from '../scans/scan.js'

/** What is known of an access point, by layer. */
export interface LayeredKnowledge {
  /** By the organization and the shared layer together. */
  readonly all: Knowledge
  /** By the organization alone; undefined where it knows nothing. */
  readonly own: Knowledge | undefined
  /**
   * By the shared layer alone, as for a caller that knows nothing else; undefined if it has no part in `all`, whatever
   * it knows.
   */
  readonly shared: Knowledge | undefined
  /** Whether others than the organization say that it is where `shared` is. */
  readonly isOthers: boolean
}

/** What is known of the access points of a scan, in its order: a map takes several times as long. */
export type KnownOfScan = readonly (LayeredKnowledge | undefined)[]

/**
 * Returns where a scan was taken, by what the organization knows itself and what is shared.
 *
 * What is shared was contributed by others, and must not reveal where a single one of their access points is. So of
 * shared access points only those count that agree with each other by the shared layer alone ({@link agreedByOthers}).
 * Of all others the organization's own part counts, as if no other organization knew them. Of its own access points one is
 * enough: the organization has said itself where that is.
 *
 * So nothing that an organization says of access points, its own or others', reveals another organization's. If its
 * data had a part in whether they agree, it could put made-up access points all over a town, send them with another
 * organization's, and learn with which of them that agrees.
 */
export function layeredEstimate(scan: Scan, known: KnownOfScan, options: EstimateOptions): Estimate {
  return widened(estimateBy(scan, known, options), scan)
}

/** Of the call that runs: none waits for anything. */
const SHARED = new Candidates()

function estimateBy(scan: Scan, known: KnownOfScan, options: EstimateOptions): Estimate {
  const unsorted = new UnsortedCandidates()
  let hasOwn = false
  let index = 0
  for (const [bssid, signalDbm] of scan) {
    const one = known[index++]
    if (!one) continue
    hasOwn ||= one.own !== undefined
    const { shared, isOthers } = one
    if (shared && stays(shared)) unsorted.add(bssid, signalDbm, shared, isOthers)
  }
  unsorted.sortInto(SHARED)
  const agree = agreedByOthers(SHARED, options.minRadios)
  if (agree && !hasOwn) return estimateAmong(scan, SHARED, options)
  const among = agree ? new Set(SHARED.bssids()) : undefined
  const byBssid = knownByBssid(scan, known)
  const get = (bssid: number) => {
    const one = byBssid.get(bssid)
    return among?.has(bssid) ? one?.all : one?.own
  }
  return estimateOf(scan, { get }, hasOwn ? { ...options, minRadios: OWN_RADIOS } : options)
}

/** An organization's own access points are enough alone: it has said itself where they are. */
const OWN_RADIOS = 1

/**
 * Leaves only those access points that agree about the place by the shared layer alone, where at least `least` radios of them are
 * others'.
 *
 * Nearly all access points of a scan lie in one neighborhood. If more radios lie elsewhere than agree, the scan was made
 * up from many places, to learn which of them another organization's is near to. With 15 % of the access points moved by
 * up to 2 km that is so for no scan of the sets that the estimator was measured on, and for up to 1.2 % of their scans
 * thinned to five radios. Of two or three of which two agree it never is.
 *
 * @returns false if none count
 */
function agreedByOthers(candidates: Candidates, least: number): boolean {
  if (candidates.length < least) return false
  const among = candidates.radios()
  const areAll = candidates.keepDensest()
  const others = candidates.radios(true)
  if (others < least) return false
  return areAll || among - candidates.radios() <= others
}

/**
 * Gathers what is known of the access points of a scan, if that is nothing but positions, each of one layer: numbers, and no objects.
 * Reused for the next scan.
 */
export class KnownPlaces {
  /** Access points of the scan that count, known or not. */
  heard = 0
  readonly own = new Candidates()
  readonly shared = new Candidates()
  hasOwn = false

  clear(): void {
    this.heard = 0
    this.own.clear()
    this.shared.clear()
    this.hasOwn = false
  }

  /** Adds an access point of which no layer knows anything. */
  addUnknown(): void {
    this.heard++
  }

  /**
   * Adds an access point, after those with lower serials, and lower BSSIDs of the same.
   *
   * @param signalDbm NaN if the device did not say
   * @param isOwn whether the organization knows it itself; else the shared layer
   */
  add(
    bssid: number,
    signalDbm: number,
    { lat, lon, spreadMeters, observations }: KnownAccessPoint,
    isOwn: boolean,
  ): void {
    this.heard++
    this.hasOwn ||= isOwn
    if (!staysWithin(spreadMeters)) return
    const layer = isOwn ? this.own : this.shared
    layer.addPlace(bssid, signalDbm, lat, lon, spreadMeters, observations, !isOwn)
  }
}

/** Of the call that runs: none waits for anything. */
const MERGED = new Candidates()

/**
 * Returns what {@link layeredEstimate} does, where nothing but positions is known.
 *
 * @returns undefined where that finds no position, or a single radio does, which takes more to decide
 */
export function placesEstimate(places: KnownPlaces, options: EstimateOptions): Found | undefined {
  const { heard, own, shared, hasOwn } = places
  const agree = agreedByOthers(shared, options.minRadios)
  if (agree && !hasOwn) return foundAmong(shared, options, heard, shared.radios())
  if (!hasOwn) return undefined
  if (!agree) shared.clear()
  MERGED.merge(own, shared)
  const radios = agreeingRadios(MERGED, OWN_RADIOS)
  return radios < 2 ? undefined : foundAmong(MERGED, options, heard, radios)
}

function foundAmong(agreeing: Candidates, options: EstimateOptions, heard: number, radios: number): Found {
  const found = positionsEstimate(agreeing, options, heard, radios)
  const radiusMeters = widenedRadius(found, agreeing.withoutSignal())
  return radiusMeters === found.radiusMeters ? found : { ...found, radiusMeters }
}

/** Returns what is known by BSSID. */
export function knownByBssid(scan: Scan, known: KnownOfScan): Map<number, LayeredKnowledge> {
  const byBssid = new Map<number, LayeredKnowledge>()
  let index = 0
  for (const bssid of scan.keys()) {
    const one = known[index++]
    if (one) byBssid.set(bssid, one)
  }
  return byBssid
}
