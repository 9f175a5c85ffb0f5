import type { Box } from './features.js'
import { clampLatitude, widthOf, wrapLongitude } from './geometry.js'

/** Units of the drawing. */
export const WIDTH = 800
export const HEIGHT = 500
export const EARTH: Box = { west: -180, south: -60, east: 180, north: 78 }
const EQUATOR_METERS = 40_075_017
const MARGIN = 0.12
/** The part of the equator that is shown at least: about 400 m. */
const CLOSEST = 0.00001

/** Where things are in a drawing of a part of the Earth, in Web Mercator. */
export interface Frame {
  readonly box: Box
  /** At the middle. */
  readonly metersPerUnit: number
  readonly place: (lat: number, lon: number) => readonly [x: number, y: number]
  /** A place as text of a path. */
  readonly at: (place: readonly [lon: number, lat: number]) => string
  readonly rings: (rings: readonly (readonly (readonly [lon: number, lat: number])[])[]) => string
  readonly line: (places: readonly { readonly lat: number; readonly lon: number }[]) => string
  readonly rectangle: (box: Box) => { x: number; y: number; width: number; height: number }
  readonly radius: (lat: number, meters: number) => number
  readonly zoomed: (levels: number) => Frame
  readonly centeredAt: (place: { readonly lat: number; readonly lon: number }) => Frame
}

/** Returns the frame that shows a box, with a margin (a share of it). */
export function frameOf(box: Box, margin = MARGIN): Frame {
  const width = widthOf(box) / 360
  const [top, bottom] = [mercatorY(box.north), mercatorY(box.south)]
  const share = Math.max(CLOSEST, width, ((bottom - top) * WIDTH) / HEIGHT) * (1 + margin)
  return frameAt(box.west / 360 + width / 2 + 0.5, (top + bottom) / 2, Math.min(1, share))
}

/** @param x, y the middle, in parts of the map of the Earth; share: the part of the equator that is shown */
function frameAt(x: number, y: number, share: number): Frame {
  const scale = WIDTH / share
  const place = (lat: number, lon: number) => {
    const away = lon / 360 + 0.5 - x
    // The copy of the Earth that is nearest to the middle.
    return [(away - Math.round(away)) * scale + WIDTH / 2, (mercatorY(lat) - y) * scale + HEIGHT / 2] as const
  }
  const middle = latitudeOf(y)
  const text = ([left, top]: readonly [number, number]) => `${left.toFixed(1)} ${top.toFixed(1)}`
  const perUnit = (lat: number) => (EQUATOR_METERS * Math.cos((lat * Math.PI) / 180)) / scale
  const line: Frame['line'] = (places) =>
    places.map(({ lat, lon }, index) => (index === 0 ? 'M' : 'L') + text(place(lat, lon))).join('')
  const half = share / 2
  return {
    box: {
      west: share >= 1 ? -180 : wrapLongitude((x - half - 0.5) * 360),
      east: share >= 1 ? 180 : wrapLongitude((x + half - 0.5) * 360),
      north: latitudeOf(y - (half * HEIGHT) / WIDTH),
      south: latitudeOf(y + (half * HEIGHT) / WIDTH),
    },
    metersPerUnit: perUnit(middle),
    place,
    at: ([lon, lat]) => text([(lon / 360 + 0.5 - x) * scale + WIDTH / 2, place(lat, lon)[1]]),
    // The whole ring on one side: a ring across 180 degrees must not be torn.
    rings: (rings) =>
      rings
        .map((ring) => {
          const longitudes = ring.map(([lon]) => lon)
          const middle = (Math.min(...longitudes) + Math.max(...longitudes)) / 2
          const shift = Math.round(x - 0.5 - middle / 360) * scale
          return `${ring.map(([lon, lat], index) => (index === 0 ? 'M' : 'L') + text([(lon / 360 + 0.5 - x) * scale + WIDTH / 2 + shift, place(lat, lon)[1]])).join('')}Z`
        })
        .join(''),
    line,
    rectangle: ({ west, south, east, north }) => {
      const [left, top] = place(north, west)
      const [right, bottom] = place(south, east)
      return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
    },
    radius: (lat, meters) => meters / perUnit(lat),
    zoomed: (levels) => frameAt(x, y, Math.min(1, Math.max(CLOSEST / 10, share / 2 ** levels))),
    centeredAt: ({ lat, lon }) => frameAt(lon / 360 + 0.5, mercatorY(lat), share),
  }
}

function mercatorY(lat: number): number {
  const sin = Math.sin((clampLatitude(lat) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)
}

function latitudeOf(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
}
