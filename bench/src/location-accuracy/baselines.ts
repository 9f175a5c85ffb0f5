import { Plane } from '@bearing/positioning/earth/plane'
import {
  squaredDistance,
  toCoordinates,
  toVector,
  type Coordinates,
  type Vector,
} from '@bearing/positioning/earth/sphere'
import type { Contribution, Reading } from '@bearing/positioning/learning/evidence/contribution'

/** Position of a scan by a baseline, and the radius that it gives with it. */
export interface BaselineFix extends Coordinates {
  readonly radiusMeters: number
}

/** Locates scans by what it was given. */
export type Baseline = (readings: readonly Reading[]) => BaselineFix | undefined

/** A scan with a known position. */
export type Surveyed = Pick<Contribution, 'lat' | 'lon' | 'accuracyMeters' | 'readings'>

/** Meters to the east and the north of the first sighting of an access point. */
interface Spot {
  readonly x: number
  readonly y: number
}

interface Sighting {
  readonly place: Vector
  readonly signalDbm: number
  readonly accuracyMeters: number
}

interface Placed {
  readonly place: Vector
  readonly radius: number
}

interface Station extends Placed {
  readonly score: number
}

/**
 * Returns the simple centroid and the estimators of two servers, rewritten from their formulas: what Bearing is compared with.
 *
 * @param train what they know
 */
export function baselines(train: readonly Surveyed[]): Record<'centroid' | 'ichnaea' | 'beacondb', Baseline> {
  const stations = new Map<number, Station>()
  const boxes = new Map<number, Placed>()
  for (const [bssid, seen] of sightingsOf(train)) {
    const station = stationOf(seen)
    if (station) stations.set(bssid, station)
    const box = boxOf(seen)
    if (box) boxes.set(bssid, box)
  }
  return {
    centroid: (readings) => centroid(strongestOf(readings, stations)),
    ichnaea: (readings) => ichnaea(strongestOf(readings, stations)),
    beacondb: (readings) => beacondb(strongestOf(readings, boxes)),
  }
}

function sightingsOf(train: readonly Surveyed[]): Map<number, Sighting[]> {
  const sightings = new Map<number, Sighting[]>()
  for (const scan of train) {
    const place = toVector(scan)
    for (const { bssid, signalDbm } of scan.readings) {
      const seen = sightings.get(bssid) ?? []
      if (seen.length === 0) sightings.set(bssid, seen)
      seen.push({ place, signalDbm, accuracyMeters: scan.accuracyMeters })
    }
  }
  return sightings
}

/** [10⁴ / (s − 20)²]², s in dBm: how much ichnaea and BeaconDB give on an observation. */
const signalWeight = (signalDbm: number) => (1e4 / (signalDbm - 20) ** 2) ** 2

/** ichnaea's station (data/station.py, models/observation.py): weighted mean, farthest corner of the box, score. */
function stationOf(seen: readonly Sighting[]): Station | undefined {
  const good = seen.filter(({ accuracyMeters }) => accuracyMeters <= 200)
  const { plane, spots, west, east, south, north } = boundsOf(good)
  if (!plane || Math.hypot(east - west, north - south) > 5_000) return undefined
  let [x, y, total] = [0, 0, 0]
  good.forEach(({ accuracyMeters, signalDbm }, index) => {
    const weight = Math.sqrt(10 / Math.max(10, accuracyMeters)) * signalWeight(signalDbm)
    x += weight * (spots[index]?.x ?? 0)
    y += weight * (spots[index]?.y ?? 0)
    total += weight
  })
  x /= total
  y /= total
  const radius = Math.hypot(Math.max(x - west, east - x), Math.max(y - south, north - y))
  const samples = good.length > 1 && radius < 1 ? 1 : good.length
  const score = 0.1 * Math.min(10, Math.max(0.5, Math.log2(samples)))
  return { place: plane.toVector(x, y), radius, score }
}

/** BeaconDB's access point (src/geolocate.rs): the middle of its bounding box and half of the diagonal. */
function boxOf(seen: readonly Sighting[]): Placed | undefined {
  const good = seen.filter(({ accuracyMeters }) => accuracyMeters <= 250)
  const { plane, west, east, south, north } = boundsOf(good)
  if (!plane) return undefined
  const place = plane.toVector((west + east) / 2, (south + north) / 2)
  return { place, radius: Math.hypot(east - west, north - south) / 2 }
}

function boundsOf(seen: readonly Sighting[]) {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity]
  const plane = seen[0] && new Plane(seen[0].place)
  const spots = seen.map(({ place }): Spot => ({ x: plane?.east(place) ?? 0, y: plane?.north(place) ?? 0 }))
  for (const { x, y } of spots) {
    west = Math.min(west, x)
    east = Math.max(east, x)
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  return { plane, spots, west, east, south, north }
}

interface Heard<Known> {
  readonly known: Known
  readonly signalDbm: number
  readonly ageMs: number
}

/** The known ones, each with the strongest of its readings. */
function strongestOf<Known>(readings: readonly Reading[], known: ReadonlyMap<number, Known>): Heard<Known>[] {
  const strongest = new Map<number, Reading>()
  for (const reading of readings) {
    const before = strongest.get(reading.bssid)
    if (!before || reading.signalDbm > before.signalDbm) strongest.set(reading.bssid, reading)
  }
  return [...strongest.values()].flatMap(({ bssid, signalDbm, ageMs = 0 }) => {
    const found = known.get(bssid)
    return found === undefined ? [] : [{ known: found, signalDbm, ageMs }]
  })
}

/** The plain mean of the positions; radius as ichnaea's. */
function centroid(heard: readonly Heard<Station>[]): BaselineFix | undefined {
  if (heard.length < 2) return undefined
  const mean = weightedMean(heard, () => 1)
  return { ...toCoordinates(mean), radiusMeters: Math.max(10, radius95(heard, mean)) }
}

/** Access points of a cluster that ichnaea uses. */
const MOST_USED = 20
/** Greatest distance between access points of one of its clusters, in meters. */
const CLUSTER_METERS = 500

/**
 * ichnaea's search (api/locate/mac.py, wifi.py): complete-linkage clusters, of each the 20 with the smallest score (it sorts
 * upwards, as shipped), their mean with the weights 1 / s⁴; the cluster with the highest sum of scores.
 */
function ichnaea(heard: readonly Heard<Station>[]): BaselineFix | undefined {
  const [best] = completeLinkage(heard, CLUSTER_METERS)
    .filter((cluster) => cluster.length >= 2)
    .map((cluster) => {
      const used = [...cluster].sort((a, b) => a.known.score - b.known.score).slice(0, MOST_USED)
      const mean = weightedMean(
        used,
        ({ signalDbm, ageMs }) => Math.min(1, 2_000 / Math.max(1_000, ageMs)) / signalDbm ** 4,
      )
      const score = cluster.reduce((sum, { known }) => sum + known.score, 0)
      return { mean, score, radiusMeters: Math.min(500, Math.max(10, radius95(used, mean))) }
    })
    .sort((a, b) => b.score - a.score || a.radiusMeters - b.radiusMeters)
  return best && { ...toCoordinates(best.mean), radiusMeters: best.radiusMeters }
}

/** BeaconDB's search (src/geolocate.rs): mean of box centers with signal weights; radius from the boxes, at least 50 m. */
function beacondb(heard: readonly Heard<Placed>[]): BaselineFix | undefined {
  const used = heard.filter(
    ({ known, signalDbm }) => signalDbm >= -100 && known.radius >= 1 && known.radius <= 500,
  )
  if (used.length < 2) return undefined
  const weightOf = ({ signalDbm }: Heard<Placed>) => signalWeight(Math.min(signalDbm, -50))
  const total = used.reduce((sum, one) => sum + weightOf(one), 0)
  const radius = used.reduce((sum, one) => sum + weightOf(one) * one.known.radius, 0) / total
  return { ...toCoordinates(weightedMean(used, weightOf)), radiusMeters: Math.max(50, radius) }
}

/** Joins the two nearest clusters, by the distance of their farthest members, until that is more than a limit. */
function completeLinkage<Known extends Placed>(
  heard: readonly Heard<Known>[],
  limit: number,
): Heard<Known>[][] {
  const clusters = heard.map((one) => [one])
  for (;;) {
    let nearest = limit
    let pair: readonly [number, number] | undefined
    clusters.forEach((one, i) => {
      clusters.slice(i + 1).forEach((other, offset) => {
        const apart = farthest(one, other)
        if (apart > nearest || (pair && apart === nearest)) return
        nearest = apart
        pair = [i, i + 1 + offset]
      })
    })
    if (!pair) return clusters
    const [joined] = clusters.splice(pair[1], 1)
    clusters[pair[0]]?.push(...(joined ?? []))
  }
}

function farthest(one: readonly Heard<Placed>[], other: readonly Heard<Placed>[]): number {
  let most = 0
  for (const { known: a } of one)
    for (const { known: b } of other) most = Math.max(most, squaredDistance(a.place, b.place))
  return Math.sqrt(most)
}

function radius95(heard: readonly Heard<Placed>[], place: Vector): number {
  const distances = heard
    .map(({ known }) => Math.sqrt(squaredDistance(known.place, place)))
    .sort((a, b) => a - b)
  return distances[Math.min(distances.length - 1, Math.floor(distances.length * 0.95))] ?? 0
}

function weightedMean<Known extends Placed>(
  heard: readonly Heard<Known>[],
  weightOf: (one: Heard<Known>) => number,
): Vector {
  let [x, y, z, total] = [0, 0, 0, 0]
  for (const one of heard) {
    const weight = weightOf(one)
    const { place } = one.known
    x += weight * place.x
    y += weight * place.y
    z += weight * place.z
    total += weight
  }
  return { x: x / total, y: y / total, z: z / total }
}
