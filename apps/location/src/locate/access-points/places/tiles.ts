import type { BoundingBox } from '@bearing/contracts/location/positions/latest-position'

/** The latitude at which the map of Web Mercator ends, in degrees. */
export const MOST_LATITUDE = 85.0511
/** Tiles of this level have edges of about 5 m. */
const MOST_LEVEL = 22
/** The zoom of a map, where the world is 512 pixels wide at 0, plus this is the level of tiles of 32 pixels. */
const LEVELS_BELOW_ZOOM = 4
/** The most tiles on one side of a box: so many cells fit into one NATS message (1 MiB). */
const MOST_TILES = 48
/** Six decimals are 11 cm. */
const DECIMALS = 1e6

/** The whole Earth. */
export const WORLD: BoundingBox = { west: -180, south: -90, east: 180, north: 90 }

/** Returns the level of the tiles that a box is divided into; there are 2^level on each side of the world. */
export function levelOf(box: BoundingBox, zoom: number | undefined): number {
  const side = Math.max(widthOf(box) / 360, southward(box.south) - southward(box.north))
  // One fewer: where a box begins within a tile it touches one more.
  const finest = side === 0 ? MOST_LEVEL : Math.floor(Math.log2((MOST_TILES - 1) / side))
  const wanted = zoom === undefined ? MOST_LEVEL : zoom + LEVELS_BELOW_ZOOM
  return Math.max(0, Math.min(MOST_LEVEL, finest, wanted))
}

/** Returns the degrees of longitude of a box, which may cross the antimeridian. */
function widthOf({ west, east }: BoundingBox): number {
  return west <= east ? east - west : east - west + 360
}

/** Returns how far south a latitude is on the map: 0 at the northern edge, 1 at the southern one. */
function southward(lat: number): number {
  const radians = (Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, lat)) * Math.PI) / 180
  return (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2
}

/** Returns the box of a tile. */
export function boxOf(x: number, y: number, level: number): BoundingBox {
  const tiles = 2 ** level
  return {
    west: rounded((x / tiles) * 360 - 180),
    south: rounded(northOf(y + 1, tiles)),
    east: rounded(((x + 1) / tiles) * 360 - 180),
    north: rounded(northOf(y, tiles)),
  }
}

function rounded(degrees: number): number {
  return Math.round(degrees * DECIMALS) / DECIMALS
}

function northOf(y: number, tiles: number): number {
  if (y === 0) return 90
  if (y === tiles) return -90
  return (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / tiles))) * 180) / Math.PI
}

/** The same as `southward` and for longitudes, of the columns `lat` and `lon`. Whole numbers from 0 to 2^level − 1. */
export function tileSql(level: number): { readonly x: string; readonly y: string } {
  const tiles = String(2 ** level)
  const last = String(2 ** level - 1)
  const radians = `radians(least(${String(MOST_LATITUDE)}, greatest(-${String(MOST_LATITUDE)}, lat)))`
  const south = `(1 - asinh(tan(${radians})) / pi()) / 2`
  return {
    x: `least(${last}, floor((lon + 180) / 360 * ${tiles})::int)`,
    y: `least(${last}, greatest(0, floor(${south} * ${tiles})::int))`,
  }
}
