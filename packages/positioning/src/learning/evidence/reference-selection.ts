import { toQuadPlace } from '../../earth/quad-cell.js'
import type { Coordinates } from '../../earth/sphere.js'
import { cellKey } from '../statistics/layer-of-cells.js'

/** A scan that may become a reference scan of its project. */
export interface CandidateReference extends Coordinates {
  /** Any id that no other has. */
  readonly id: string
  readonly atSeconds: number
  readonly accuracyMeters: number
  /** Number of access points that it received. */
  readonly heard: number
}

/** Reference scans that are kept of each cell of about 4 m: phones differ, and so do the hours of a day. */
export const MOST_IN_A_CELL = 64
/** A position that is less exact than this says nothing that statistics do not say, in meters. */
const MOST_ACCURACY_METERS = 25
/** A scan of fewer access points is alike too many places. */
export const LEAST_HEARD = 2
/** Newer scans replace older ones in steps of this; of one season a fair sample is kept. */
const SEASON_SECONDS = 90 * 86_400

/**
 * Returns which scans a project keeps for comparison: in each cell those of the latest season, of them a sample that
 * depends on nothing but their ids: the ones that heard most would all be of one phone. The order is total, so what is
 * selected of parts, selected again, is what is selected of the whole, whatever came first.
 */
export function selectReferences<Candidate extends CandidateReference>(
  candidates: readonly Candidate[],
): Candidate[] {
  const cells = new Map<number, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.accuracyMeters > MOST_ACCURACY_METERS || candidate.heard < LEAST_HEARD) continue
    const key = cellKey(toQuadPlace(candidate), 0)
    const cell = cells.get(key) ?? []
    cell.push(candidate)
    cells.set(key, cell)
  }
  return [...cells.values()].flatMap((cell) => cell.sort(byWorth).slice(0, MOST_IN_A_CELL))
}

function byWorth(one: CandidateReference, other: CandidateReference): number {
  const season = ({ atSeconds }: CandidateReference) => Math.floor(atSeconds / SEASON_SECONDS)
  return season(other) - season(one) || mixed(one.id) - mixed(other.id) || (one.id < other.id ? -1 : 1)
}

/** 32 bits that look random (FNV-1a, with the last steps of MurmurHash3). */
function mixed(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
