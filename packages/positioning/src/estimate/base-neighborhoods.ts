import { NEIGHBORHOOD_METERS, stays } from '../access-points/candidates.js'
import { densestNeighborhood } from '../earth/densest-neighborhood.js'
import { toVector, type Vector } from '../earth/sphere.js'
import { countRadios } from '../scans/radio.js'
import type { Scan } from '../scans/scan.js'
import type { KnownOfScan } from './layered-estimate.js'

/** Neighborhoods that are distinguished; each access point beyond them counts as one. */
const MOST_APART = 8

interface PlacedAccessPoint {
  readonly bssid: number
  readonly place: Vector
}

/** Access points of a scan that the base layer has in one place. */
export interface BaseNeighborhood {
  /** Of one of them. */
  readonly place: Vector
  readonly bssids: readonly number[]
  /** Least number of boxes that they belong to. */
  readonly radios: number
}

/** Returns the neighborhoods of the base layer that a scan asks about, the densest one first. */
export function baseNeighborhoods(scan: Scan, known: KnownOfScan): readonly BaseNeighborhood[] {
  let left = placedIn(scan, known)
  const found: BaseNeighborhood[] = []
  while (left.length > 0 && found.length < MOST_APART) {
    const members = new Set(densestNeighborhood(left, NEIGHBORHOOD_METERS))
    found.push(neighborhoodOf([...members]))
    left = left.filter((one) => !members.has(one))
  }
  return [...found, ...left.map((one) => neighborhoodOf([one]))]
}

function placedIn(scan: Scan, known: KnownOfScan): readonly PlacedAccessPoint[] {
  const placed: PlacedAccessPoint[] = []
  let index = 0
  for (const bssid of scan.keys()) {
    const one = known[index++]
    if (one && !one.isOwn && stays(one.known)) placed.push({ bssid, place: toVector(one.known) })
  }
  return placed
}

function neighborhoodOf(members: readonly PlacedAccessPoint[]): BaseNeighborhood {
  const bssids = members.map(({ bssid }) => bssid)
  const place = members[0]?.place ?? { x: 0, y: 0, z: 0 }
  return { place, bssids, radios: countRadios(bssids) }
}
