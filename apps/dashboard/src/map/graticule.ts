import { niceStep, widthOf } from './geometry.js'
import type { Box } from './features.js'

/** About as many lines fit a map side by side. */
const LINES = 6
/** Labels stay out of these shares of a map: the scale is at the lower left, and texts of meridians extend to the right. */
const [RIGHT, LOW, HIGH] = [0.86, 0.14, 0.97]
/** Degrees between lines at most. */
const WIDEST = 30

export interface GridLine {
  readonly from: readonly [lon: number, lat: number]
  readonly to: readonly [lon: number, lat: number]
  /** At the edge of the map: where the line is. Left out where the corner or the scale would cut it off. */
  readonly label?: {
    readonly at: readonly [lon: number, lat: number]
    readonly text: string
    readonly isMeridian: boolean
  }
}

/** Returns meridians and parallels of a box, and as far around it as it is wide: so the map can be dragged. */
export function graticule(box: Box): GridLine[] {
  const width = widthOf(box)
  const height = box.north - box.south
  const step = Math.min(WIDEST, niceStep(Math.max(width, height) / LINES))
  const east = box.west + width
  const [west, far] = [box.west - width, east + width]
  const [south, north] = [Math.max(-85, box.south - height), Math.min(85, box.north + height)]
  return [
    ...multiples(west, far, step).map((lon) => ({
      from: [lon, south] as const,
      to: [lon, north] as const,
      ...(lon >= box.west &&
        lon < box.west + width * RIGHT && {
          label: { at: [lon, box.south] as const, text: degrees(lon, step, 'E', 'W'), isMeridian: true },
        }),
    })),
    ...multiples(south, north, step).map((lat) => ({
      from: [west, lat] as const,
      to: [far, lat] as const,
      ...(lat > box.south + height * LOW &&
        lat < box.south + height * HIGH && {
          label: { at: [box.west, lat] as const, text: degrees(lat, step, 'N', 'S'), isMeridian: false },
        }),
    })),
  ]
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step)
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, at) => (first + at) * step,
  )
}

function degrees(value: number, step: number, positive: string, negative: string): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step)))
  const inside = ((((value + 180) % 360) + 360) % 360) - 180
  const size = Math.abs(inside).toFixed(decimals)
  return `${size}°${Number(size) === 0 ? '' : inside > 0 ? positive : negative}`
}
