import { SHAPES, type Shape } from './features.js'

/** Pixels of a shape, and how far its edge is from the middle. */
const SIZE = 48
const REACH = 15
/** Reach of known distances around the edge, in pixels, and the edge as a share of a byte: MapLibre expects these. */
const SPREAD = 8
const EDGE = 0.75

/** An image as MapLibre takes it. */
export interface GlImage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Distance of a pixel from a shape; negative inside. */
const DISTANCES: Readonly<Record<Shape, (x: number, y: number) => number>> = {
  circle: (x, y) => Math.hypot(x, y) - REACH,
  square: (x, y) => Math.max(Math.abs(x), Math.abs(y)) - REACH * 0.9,
  diamond: (x, y) => (Math.abs(x) + Math.abs(y)) * Math.SQRT1_2 - REACH * 0.85,
  // Three edges of a triangle that stands on its base.
  triangle: (x, y) => Math.max(y - REACH * 0.75, (Math.abs(x) * 1.75 - y) / 2.015 - REACH * 0.62),
}

/** Returns the shapes as signed distance fields: MapLibre colors them, at any size. */
export function shapeImages(): [name: Shape, image: GlImage][] {
  return SHAPES.map((shape) => [shape, distanceField(DISTANCES[shape])])
}

function distanceField(distanceOf: (x: number, y: number) => number): GlImage {
  const data = new Uint8Array(SIZE * SIZE * 4)
  for (let at = 0; at < SIZE * SIZE; at++) {
    const [x, y] = [(at % SIZE) - SIZE / 2 + 0.5, Math.floor(at / SIZE) - SIZE / 2 + 0.5]
    const inside = EDGE - distanceOf(x, y) / SPREAD
    data[4 * at + 3] = Math.round(Math.max(0, Math.min(1, inside)) * 255)
  }
  return { width: SIZE, height: SIZE, data }
}

const HATCH = 12
const STROKE = 3

/** Returns diagonal lines of a color, which fit each other on all sides. */
export function hatchImage(color: string): GlImage {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  const data = new Uint8Array(HATCH * HATCH * 4)
  for (let at = 0; at < HATCH * HATCH; at++) {
    const isLine = ((at % HATCH) + Math.floor(at / HATCH)) % HATCH < STROKE
    data.set([red, green, blue, isLine ? 150 : 0], 4 * at)
  }
  return { width: HATCH, height: HATCH, data }
}
