import { FlatMap, quantile, type Place, type Spot } from './flat.js'
import type { Reading, TrueScan } from './scan-set.js'

/** Where a baseline says that a scan was taken, and the radius that it gives with it. */
export interface Fix extends Place {
  readonly radiusMeters: number
}

/** Answers scans from what it was given. */
export type Locator = (readings: readonly Reading[]) => Fix | undefined

interface Sighting extends Spot {
  readonly signalDbm: number
  readonly accuracyMeters: number
}

interface Station extends Spot {
  readonly radius: number
  readonly score: number
}

interface Box extends Spot {
  readonly radius: number
}

/** The simple centroid and the estimators of two servers, rewritten from their formulas: what Bearing is compared with. */
export function baselines(train: readonly TrueScan[]): Record<'centroid' | 'ichnaea' | 'beacondb', Locator> {
  const map = new FlatMap(train[0] ?? { lat: 0, lon: 0 })
  const sightings = sightingsOf(train, map)
  const stations = new Map<number, Station>()
  const boxes = new Map<number, Box>()
  for (const [bssid, seen] of sightings) {
    const station = stationOf(seen)
    if (station) stations.set(bssid, station)
    const box = boxOf(seen)
    if (box) boxes.set(bssid, box)
  }
  return {
    centroid: (readings) => centroid(strongestOf(readings, stations), map),
    ichnaea: (readings) => ichnaea(strongestOf(readings, stations), map),
    beacondb: (readings) => beacondb(strongestOf(readings, boxes), map),
  }
}

function sightingsOf(train: readonly TrueScan[], map: FlatMap): Map<number, Sighting[]> {
  const sightings = new Map<number, Sighting[]>()
  for (const scan of train) {
    const { x, y } = map.spot(scan)
    for (const { bssid, signalDbm } of scan.accessPoints) {
      const seen = sightings.get(bssid) ?? []
      if (seen.length === 0) sightings.set(bssid, seen)
      seen.push({ x, y, signalDbm, accuracyMeters: scan.accuracyMeters })
    }
  }
  return sightings
}

/** [10⁴ / (s − 20)²]², s in dBm: how much ichnaea and BeaconDB give on an observation. */
const signalWeight = (signalDbm: number) => (1e4 / (signalDbm - 20) ** 2) ** 2

/** ichnaea's station (data/station.py, models/observation.py): weighted mean, farthest corner of the box, score. */
function stationOf(seen: readonly Sighting[]): Station | undefined {
  const good = seen.filter(({ accuracyMeters }) => accuracyMeters <= 200)
  if (good.length === 0) return undefined
  const weights = good.map(
    ({ accuracyMeters, signalDbm }) => Math.sqrt(10 / Math.max(10, accuracyMeters)) * signalWeight(signalDbm),
  )
  const { x, y } = weightedMean(good, weights)
  const { west, east, south, north } = edges(good)
  if (Math.hypot(east - west, north - south) > 5_000) return undefined
  const radius = Math.hypot(Math.max(x - west, east - x), Math.max(y - south, north - y))
  const samples = good.length > 1 && radius < 1 ? 1 : good.length
  return { x, y, radius, score: 0.1 * Math.min(10, Math.max(0.5, Math.log2(samples))) }
}

/** BeaconDB's access point (src/geolocate.rs): the middle of its bounding box and half of the diagonal. */
function boxOf(seen: readonly Sighting[]): Box | undefined {
  const good = seen.filter(({ accuracyMeters }) => accuracyMeters <= 250)
  if (good.length === 0) return undefined
  const { west, east, south, north } = edges(good)
  return { x: (west + east) / 2, y: (south + north) / 2, radius: Math.hypot(east - west, north - south) / 2 }
}

function edges(spots: readonly Spot[]): { west: number; east: number; south: number; north: number } {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of spots) {
    west = Math.min(west, x)
    east = Math.max(east, x)
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  return { west, east, south, north }
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
  return [...strongest.values()].flatMap(({ bssid, signalDbm, ageMs }) => {
    const found = known.get(bssid)
    return found === undefined ? [] : [{ known: found, signalDbm, ageMs }]
  })
}

/** The plain mean of the positions; radius as ichnaea's. */
function centroid(heard: readonly Heard<Station>[], map: FlatMap): Fix | undefined {
  if (heard.length < 2) return undefined
  const spots = heard.map(({ known }) => known)
  const mean = weightedMean(
    spots,
    spots.map(() => 1),
  )
  return { ...map.place(mean), radiusMeters: Math.max(10, radius95(spots, mean)) }
}

/** Access points of a cluster that ichnaea uses. */
const MOST_USED = 20
/** How far apart access points of one of its clusters may be, in meters. */
const CLUSTER_METERS = 500

/**
 * ichnaea's search (api/locate/mac.py, wifi.py): complete-linkage clusters, of each the 20 with the smallest score (it sorts
 * upwards, as shipped), their mean with the weights 1 / s⁴; the cluster with the highest sum of scores.
 */
function ichnaea(heard: readonly Heard<Station>[], map: FlatMap): Fix | undefined {
  const results = completeLinkage(heard, CLUSTER_METERS)
    .filter((cluster) => cluster.length >= 2)
    .map((cluster) => {
      const used = [...cluster].sort((a, b) => a.known.score - b.known.score).slice(0, MOST_USED)
      const spots = used.map(({ known }) => known)
      const mean = weightedMean(
        spots,
        used.map(({ signalDbm, ageMs }) => Math.min(1, 2_000 / Math.max(1_000, ageMs)) / signalDbm ** 4),
      )
      const score = cluster.reduce((sum, { known }) => sum + known.score, 0)
      return { mean, score, radius: Math.min(500, Math.max(10, radius95(spots, mean))) }
    })
    .sort((a, b) => b.score - a.score || a.radius - b.radius)
  const [best] = results
  return best && { ...map.place(best.mean), radiusMeters: best.radius }
}

/** BeaconDB's search (src/geolocate.rs): mean of box centers with signal weights; radius from the boxes, at least 50 m. */
function beacondb(heard: readonly Heard<Box>[], map: FlatMap): Fix | undefined {
  const used = heard.filter(
    ({ known, signalDbm }) => signalDbm >= -100 && known.radius >= 1 && known.radius <= 500,
  )
  if (used.length < 2) return undefined
  const weights = used.map(({ signalDbm }) => signalWeight(Math.min(signalDbm, -50)))
  const spots = used.map(({ known }) => known)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const radius = spots.reduce((sum, spot, index) => sum + spot.radius * (weights[index] ?? 0), 0) / total
  return { ...map.place(weightedMean(spots, weights)), radiusMeters: Math.max(50, radius) }
}

/** Joins the two nearest clusters, by the distance of their farthest members, until that is more than a limit. */
function completeLinkage<Known extends Spot>(
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

function farthest<Known extends Spot>(one: readonly Heard<Known>[], other: readonly Heard<Known>[]): number {
  let most = 0
  for (const { known: a } of one)
    for (const { known: b } of other) most = Math.max(most, Math.hypot(a.x - b.x, a.y - b.y))
  return most
}

function radius95(spots: readonly Spot[], { x, y }: Spot): number {
  return quantile(
    spots.map((spot) => Math.hypot(spot.x - x, spot.y - y)),
    0.95,
  )
}

function weightedMean(spots: readonly Spot[], weights: readonly number[]): Spot {
  let [x, y, total] = [0, 0, 0]
  spots.forEach((spot, index) => {
    const weight = weights[index] ?? 0
    total += weight
    x += weight * spot.x
    y += weight * spot.y
  })
  return { x: x / total, y: y / total }
}
