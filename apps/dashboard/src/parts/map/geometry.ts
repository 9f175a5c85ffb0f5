import { count } from '../../ground/amounts.js'
import type { Box, MapContent } from './features.js'

const EARTH_RADIUS_METERS = 6_371_008.8
const RADIANS = Math.PI / 180
const CORNERS = 32
/** Web Mercator ends here. */
const MAX_LATITUDE = 85.05

/** Returns the corners of a circle in true meters, as longitudes and latitudes; the first is the last. */
export function circleAround(lat: number, lon: number, radiusMeters: number): [number, number][] {
  const angle = radiusMeters / EARTH_RADIUS_METERS
  const [sinLat, cosLat] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)]
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const bearing = ((corner % CORNERS) / CORNERS) * 2 * Math.PI
    const sin = sinLat * Math.cos(angle) + cosLat * Math.sin(angle) * Math.cos(bearing)
    const east = Math.atan2(Math.sin(bearing) * Math.sin(angle) * cosLat, Math.cos(angle) - sinLat * sin)
    return [lon + east / RADIANS, clampLatitude(Math.asin(sin) / RADIANS)]
  })
}

export function clampLatitude(lat: number): number {
  return Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat))
}

/** Returns a longitude between -180 and 180. */
export function wrapLongitude(lon: number): number {
  return lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180
}

/** Returns whether a place is in a box. */
export function isInBox({ west, south, east, north }: Box, lat: number, lon: number): boolean {
  return (
    lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east)
  )
}

/** Returns how wide a box is, in degrees. */
export function widthOf({ west, east }: Box): number {
  return west <= east ? east - west : east - west + 360
}

/**
 * Returns what "Show all" shows: a box around all points and lines, or else around what is behind them; undefined if there is nothing.
 * It is the narrower one of both ways around the Earth.
 */
export function boxAround(content: MapContent): Box | undefined {
  const { whole, points, areas = [], lines = [], background = [] } = content
  if (whole) return whole
  const places = [
    ...points.map(({ lat, lon, radii = [] }) => ({ lat, lon, radiusMeters: Math.max(0, ...radii) })),
    ...lines.flatMap(({ places: stops }) => stops.map(({ lat, lon }) => ({ lat, lon, radiusMeters: 0 }))),
  ]
  const behind = [
    ...areas.flatMap(({ west, south, east, north }) => [
      { lat: south, lon: west },
      { lat: north, lon: east },
    ]),
    ...background,
  ]
  const all = places.length > 0 ? places : behind.map(({ lat, lon }) => ({ lat, lon, radiusMeters: 0 }))
  if (all.length === 0) return undefined
  let [south, north] = [90, -90]
  for (const { lat, radiusMeters } of all) {
    const margin = radiusMeters / EARTH_RADIUS_METERS / RADIANS
    south = Math.min(south, lat - margin)
    north = Math.max(north, lat + margin)
  }
  const margins = all.map(
    ({ lat, radiusMeters }) =>
      radiusMeters / EARTH_RADIUS_METERS / RADIANS / Math.max(0.05, Math.cos(lat * RADIANS)),
  )
  const [west, east] = narrowest(all.map(({ lon }) => lon))
  const widest = margins.reduce((most, margin) => Math.max(most, margin), 0)
  return {
    west: wrapLongitude(west - widest),
    south: clampLatitude(south),
    east: wrapLongitude(east + widest),
    north: clampLatitude(north),
  }
}

/** Leaves out the widest gap between neighboring longitudes. */
function narrowest(longitudes: readonly number[]): [west: number, east: number] {
  const sorted = longitudes.toSorted((a, b) => a - b)
  const first = sorted[0] ?? 0
  let [west, east, widest] = [first, sorted.at(-1) ?? 0, 360 - ((sorted.at(-1) ?? 0) - first)]
  for (let at = 1; at < sorted.length; at++) {
    const [before = 0, here = 0] = [sorted[at - 1], sorted[at]]
    if (here - before > widest) [west, east, widest] = [here, before, here - before]
  }
  return [west, east]
}

/** Returns 1, 2 or 5 times a power of ten: the largest that is not more than a number. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([5, 2, 1].find((step) => step * power <= most) ?? 1) * power
}

/** Returns a length for people: "500 m", "20 km". */
export function metersText(meters: number): string {
  if (meters < 1_000)
    return `${meters < 10 ? meters.toFixed(1).replace(/\.0$/, '') : Math.round(meters).toString()} m`
  const kilometers = meters / 1_000
  return `${kilometers < 10 ? kilometers.toFixed(1).replace(/\.0$/, '') : count(Math.round(kilometers))} km`
}

/** Reads `west,south,east,north` in degrees, as the API takes it. Undefined for anything else. */
export function parseBox(text: string): Box | undefined {
  const parts = text.split(',').map(Number)
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts
  const isOnEarth =
    [west, east].every((lon) => Math.abs(lon) <= 180) && south >= -90 && north <= 90 && south < north
  return parts.length === 4 && isOnEarth ? { west, south, east, north } : undefined
}

/** Writes a box for a URL: five decimals are one meter. */
export function boxText({ west, south, east, north }: Box): string {
  return [west, south, east, north].map((degrees) => Number(degrees.toFixed(5))).join(',')
}

/** Returns the box, half as wide again on each side. */
export function widened(box: Box): Box {
  const [width, height] = [widthOf(box), box.north - box.south]
  if (width >= 180) return { west: -180, south: -90, east: 180, north: 90 }
  return {
    west: wrapLongitude(box.west - width / 2),
    south: box.south - height / 2,
    east: wrapLongitude(box.east + width / 2),
    north: box.north + height / 2,
  }
}
