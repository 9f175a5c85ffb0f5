import type { Knowledge } from './access-point-model.js'
import { agreeingOf, bySerial, radiosAmong, stays, type Candidate } from './candidates.js'
import { estimateAmong, estimateOf, type Estimate, type EstimateOptions } from './estimate.js'
import { widened } from './missing-signals.js'
import { serialOf } from './radio.js'
import type { Scan } from './scan.js'
import { toVector } from './sphere.js'

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

/** As the shared layer alone knows it. */
interface SharedCandidate extends Candidate {
  /** As in {@link LayeredKnowledge}. */
  readonly isOthers: boolean
}

/** What is known of the access points of a scan, in its order: a map takes several times as long. */
export type KnownOfScan = readonly (LayeredKnowledge | undefined)[]

/**
 * Returns where a scan was taken, by what the organization knows itself and what is shared.
 *
 * What is shared was contributed by others, and must not reveal where a single one of their access points is. So of
 * shared access points only those count that agree with each other by the shared layer alone ({@link agreedByOthers}).
 * Of all others the organization's own part counts, as if nobody else knew them. Of its own access points one is
 * enough: the organization has said itself where that is.
 *
 * So nothing that an organization says of access points, its own or others', reveals another organization's. If its
 * data had a part in whether they agree, it could put made-up access points all over a town, send them with another
 * organization's, and learn with which of them that agrees.
 */
export function layeredEstimate(scan: Scan, known: KnownOfScan, options: EstimateOptions): Estimate {
  return widened(estimateBy(scan, known, options), scan)
}

function estimateBy(scan: Scan, known: KnownOfScan, options: EstimateOptions): Estimate {
  const candidates: SharedCandidate[] = []
  let hasOwn = false
  let index = 0
  for (const [bssid, signalDbm] of scan) {
    const one = known[index++]
    if (!one) continue
    hasOwn ||= one.own !== undefined
    const { shared, isOthers } = one
    if (!shared || !stays(shared)) continue
    const place = toVector(shared)
    candidates.push({ bssid, signalDbm, known: shared, place, serial: serialOf(bssid), isOthers })
  }
  const agreed = agreedByOthers(candidates.sort(bySerial), options.minRadios)
  if (agreed && !hasOwn) return estimateAmong(scan, agreed, options)
  const among = agreed && new Set(agreed.map(({ bssid }) => bssid))
  const byBssid = knownByBssid(scan, known)
  const get = (bssid: number) => {
    const one = byBssid.get(bssid)
    return among?.has(bssid) ? one?.all : one?.own
  }
  return estimateOf(scan, { get }, hasOwn ? { ...options, minRadios: 1 } : options)
}

/**
 * Returns the access points that agree about the place by the shared layer alone, where at least `least` radios of them are others'.
 *
 * Nearly all access points of a scan lie in one neighborhood. If more radios lie elsewhere than agree, the scan was made
 * up from many places, to learn which of them another organization's is near to. With 15 % of the access points moved by
 * up to 2 km that is so for no scan of the sets that the estimator was measured on, and for up to 1.2 % of their scans
 * thinned to five radios. Of two or three of which two agree it never is.
 *
 * @returns undefined if none count
 */
function agreedByOthers(
  candidates: readonly SharedCandidate[],
  least: number,
): readonly Candidate[] | undefined {
  if (candidates.length < least) return undefined
  const agreeing = agreeingOf(candidates)
  const others = radiosAmong(agreeing, ({ isOthers }) => isOthers)
  if (others < least) return undefined
  if (agreeing.length === candidates.length) return agreeing
  const elsewhere = radiosAmong(candidates) - radiosAmong(agreeing)
  return elsewhere > others ? undefined : agreeing
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
