import { isLearned, type Knowledge } from './access-point-model.js'
import { densestNeighbourhood } from './densest-neighbourhood.js'
import type { PlacedAccessPoint } from './locate.js'
import { boxOf } from './radio.js'
import type { Scan } from './scan.js'
import { toVector } from './sphere.js'

/** An access point that was heard, and has a position that it stays at. */
export interface Candidate extends PlacedAccessPoint {
  readonly known: Knowledge
  /** That it may belong to ({@link boxOf}). */
  readonly box: number
}

/** Tells what is known of an access point: a map is one. */
export type KnowledgeByBssid = Pick<ReadonlyMap<number, Knowledge>, 'get'>

/** As in `locate.ts`. */
export const NEIGHBOURHOOD_METERS = 500
const MAX_SPREAD_METERS = 500
/** How certainly an access point has to move to be left out. */
const MOVES = 0.9

/** Whether an access point has a position that it stays at. */
export function stays(known: Knowledge): boolean {
  return known.spreadMeters <= MAX_SPREAD_METERS && !(isLearned(known) && known.moving > MOVES)
}

/** Those with a position that they stay at, box by box and by BSSID, so that the order of the scan does not matter. */
export function candidatesOf(heard: Scan, known: KnowledgeByBssid): Candidate[] {
  const candidates: Candidate[] = []
  for (const [bssid, signalDbm] of heard) {
    const found = known.get(bssid)
    if (!found || !stays(found)) continue
    candidates.push({ bssid, signalDbm, known: found, place: toVector(found), box: boxOf(bssid) })
  }
  return candidates.sort((a, b) => a.box - b.box || a.bssid - b.bssid)
}

/** Those of the neighbourhood where most of them agree, in the order in which they came. */
export function agreeingOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return densestNeighbourhood(candidates, NEIGHBOURHOOD_METERS)
}

/**
 * How many radios candidates belong to, those of one box once (`countRadios`): in one pass, without a map.
 *
 * @param candidates box by box
 * @param counts which of them count; all where it is left out
 */
export function radiosAmong(
  candidates: readonly Candidate[],
  counts?: (candidate: Candidate) => boolean,
): number {
  let radios = 0
  let last = Number.NaN
  for (const candidate of candidates) {
    if (candidate.box === last || (counts && !counts(candidate))) continue
    last = candidate.box
    radios++
  }
  return radios
}
