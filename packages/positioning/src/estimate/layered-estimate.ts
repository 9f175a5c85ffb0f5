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

/** Knowledge of an access point: of the organization itself, or of the base layer if the organization has none. */
export interface LayeredKnowledge {
  readonly known: Knowledge
  /** True if it is knowledge of the organization itself. */
  readonly isOwn: boolean
}

/** Knowledge of the access points of a scan, in its order: a map takes several times as long. */
export type KnownOfScan = readonly (LayeredKnowledge | undefined)[]

/** Fewest radios of the base layer that must be known and agree. With one, callers could look up where a single access point is. */
export const BASE_RADIOS = 2
/** An organization's own access points are enough alone: it has said itself where they are. */
const OWN_RADIOS = 1

/** Options of {@link EstimateOptions} that a caller chooses; how many radios are needed follows from whose they are. */
export type LayeredOptions = Omit<EstimateOptions, 'minRadios'>

/**
 * Returns where a scan was taken, by what the organization knows itself and by the base layer.
 *
 * The base layer must not reveal where a single access point is. So of it only those count that agree with each other, by the base layer
 * alone ({@link agreedByBase}). Of its own access points one is enough: the organization has said itself where that is.
 *
 * So nothing that an organization says of access points reveals others. If its data had a part in whether they agree, it could put
 * made-up access points all over a town, send them with another one, and learn with which of them that agrees.
 */
export function layeredEstimate(scan: Scan, known: KnownOfScan, options: LayeredOptions): Estimate {
  return widened(estimateBy(scan, known, options), scan)
}

/** Of the call that runs: none waits for anything. */
const BASE = new Candidates()

function estimateBy(scan: Scan, known: KnownOfScan, chosen: LayeredOptions): Estimate {
  const hasOwn = gatherBase(scan, known)
  const options = { ...chosen, minRadios: hasOwn ? OWN_RADIOS : BASE_RADIOS }
  const agree = agreedByBase(BASE)
  if (agree && !hasOwn) return estimateAmong(scan, BASE, options)
  const among = agree ? new Set(BASE.bssids()) : undefined
  const byBssid = knownByBssid(scan, known)
  const get = (bssid: number) => {
    const one = byBssid.get(bssid)
    return one && (one.isOwn || among?.has(bssid)) ? one.known : undefined
  }
  return estimateOf(scan, { get }, options)
}

/** Replaces {@link BASE} by what the base layer knows of a scan. @returns whether the organization knows some itself */
function gatherBase(scan: Scan, known: KnownOfScan): boolean {
  const unsorted = new UnsortedCandidates()
  let hasOwn = false
  let index = 0
  for (const [bssid, signalDbm] of scan) {
    const one = known[index++]
    if (one?.isOwn) hasOwn = true
    else if (one && stays(one.known)) unsorted.add(bssid, signalDbm, one.known)
  }
  unsorted.sortInto(BASE)
  return hasOwn
}

/**
 * Leaves only those access points of the base layer that agree about the place, where at least {@link BASE_RADIOS} do.
 *
 * Nearly all access points of a scan lie in one neighborhood. If more radios lie elsewhere than agree, the scan was made
 * up from many places, to learn which of them another one is near to. With 15 % of the access points moved by
 * up to 2 km that is so for no scan of the sets that the estimator was measured on, and for up to 1.2 % of their scans
 * thinned to five radios. Of two or three of which two agree it never is.
 *
 * @returns false if none count
 */
function agreedByBase(candidates: Candidates): boolean {
  if (candidates.length < BASE_RADIOS) return false
  const among = candidates.radios()
  const areAll = candidates.keepDensest()
  const agreeing = candidates.radios()
  if (agreeing < BASE_RADIOS) return false
  return areAll || among - agreeing <= agreeing
}

/**
 * Gathers what is known of the access points of a scan, if that is nothing but positions, each of one layer: numbers, and no objects.
 * Reused for the next scan.
 */
export class KnownPlaces {
  /** Access points of the scan that count, known or not. */
  heard = 0
  readonly own = new Candidates()
  readonly base = new Candidates()
  hasOwn = false

  clear(): void {
    this.heard = 0
    this.own.clear()
    this.base.clear()
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
   * @param isOwn whether the organization knows it itself; else the base layer
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
    const layer = isOwn ? this.own : this.base
    layer.addPlace(bssid, signalDbm, lat, lon, spreadMeters, observations)
  }
}

/** Of the call that runs: none waits for anything. */
const MERGED = new Candidates()

/**
 * Returns what {@link layeredEstimate} does, where nothing but positions is known.
 *
 * @returns undefined where that finds no position, or a single radio does, which takes more to decide, or the scan asks about several
 *   neighborhoods of the base layer, which are counted
 */
export function placesEstimate(places: KnownPlaces, options: LayeredOptions): Found | undefined {
  const { heard, own, base, hasOwn } = places
  if (!base.keepDensest()) return undefined
  const agree = base.radios() >= BASE_RADIOS
  if (agree && !hasOwn) return foundAmong(base, options, heard, base.radios())
  if (!hasOwn) return undefined
  if (!agree) base.clear()
  MERGED.merge(own, base)
  const radios = agreeingRadios(MERGED, OWN_RADIOS)
  return radios < 2 ? undefined : foundAmong(MERGED, options, heard, radios)
}

function foundAmong(agreeing: Candidates, options: LayeredOptions, heard: number, radios: number): Found {
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
