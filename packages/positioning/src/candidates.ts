import { isLearned, type Knowledge } from './access-point-model.js'
import { densestNeighborhood } from './densest-neighborhood.js'
import type { PlacedAccessPoint } from './locate.js'
import { BoxCounter, serialOf } from './radio.js'
import type { Scan } from './scan.js'
import { toVector } from './sphere.js'

/** An access point that was heard, and has a position that it stays at. */
export interface Candidate extends PlacedAccessPoint {
  readonly known: Knowledge
  /** As {@link serialOf} returns it. */
  readonly serial: number
}

/** Returns what is known of an access point, such as a map. */
export type KnowledgeByBssid = Pick<ReadonlyMap<number, Knowledge>, 'get'>

/** As in `locate.ts`. */
export const NEIGHBORHOOD_METERS = 500
const MAX_SPREAD_METERS = 500
/** How certainly an access point has to move to be left out. */
const MOVES = 0.9

/** Returns whether an access point has a position that it stays at. */
export function stays(known: Knowledge): boolean {
  return known.spreadMeters <= MAX_SPREAD_METERS && !(isLearned(known) && known.moving > MOVES)
}

/** Returns those with a position that they stay at, by serial and BSSID, so that the order of the scan does not matter. */
export function candidatesOf(heard: Scan, known: KnowledgeByBssid): Candidate[] {
  const candidates: Candidate[] = []
  for (const [bssid, signalDbm] of heard) {
    const found = known.get(bssid)
    if (!found || !stays(found)) continue
    candidates.push({ bssid, signalDbm, known: found, place: toVector(found), serial: serialOf(bssid) })
  }
  return candidates.sort(bySerial)
}

/** Orders candidates by serial and BSSID. */
export function bySerial(a: Candidate, b: Candidate): number {
  return a.serial - b.serial || a.bssid - b.bssid
}

/** Returns those of the neighborhood where most of them agree, in the order in which they came. */
export function agreeingOf<Item extends Candidate>(candidates: readonly Item[]): readonly Item[] {
  return densestNeighborhood(candidates, NEIGHBORHOOD_METERS)
}

/**
 * Returns how many boxes candidates belong to at least ({@link BoxCounter}).
 *
 * @param candidates by ascending serial
 * @param counts which of them count; all if left out
 */
export function radiosAmong<Item extends Candidate>(
  candidates: readonly Item[],
  counts?: (candidate: Item) => boolean,
): number {
  const counter = new BoxCounter()
  for (const candidate of candidates) if (!counts || counts(candidate)) counter.add(candidate.serial)
  return counter.count
}
