import type { CallOutput } from '@bearing/client/call-types'

export type Explanation = CallOutput<'explainLocation'>

const WIDTH = 61
const HEIGHT = 21
/** Meters of a degree of latitude. */
const DEGREE_METERS = 111_195
/** Access points further than so many radii are left out: they would make the rest one dot. */
const MOST_RADII = 4

interface Place {
  readonly east: number
  readonly north: number
  readonly mark: string
}

/**
 * Draws the organization's access points around a position: `+` is the position, `·` its radius of 68 %. A character is twice as high as
 * wide.
 *
 * @returns the lines; none if there is nothing to draw
 */
export function drawExplanation({ position, radii, accessPoints }: Explanation): string[] {
  if (!position || !radii) return []
  const east = DEGREE_METERS * Math.cos((position.lat * Math.PI) / 180)
  const own = accessPoints.flatMap((each) => each.own ?? [])
  const places = own
    .map((place, index): Place => {
      const degrees = ((place.lon - position.lon + 540) % 360) - 180
      return { east: degrees * east, north: (place.lat - position.lat) * DEGREE_METERS, mark: markOf(index) }
    })
    .filter((place) => Math.hypot(place.east, place.north) <= MOST_RADII * radii.p95)
  if (places.length === 0) return []
  const reach = Math.max(
    radii.p68,
    ...places.flatMap((place) => [Math.abs(place.east), Math.abs(place.north)]),
  )
  const step = (1.05 * reach) / ((HEIGHT - 1) / 2)
  const grid = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(' '))
  const put = (place: Place) => {
    const row = grid[Math.round((HEIGHT - 1) / 2 - place.north / step)]
    const column = Math.round((WIDTH - 1) / 2 + (2 * place.east) / step)
    if (row && column >= 0 && column < WIDTH) row[column] = place.mark
  }
  for (let angle = 0; angle < 360; angle += 4) {
    const radians = (angle * Math.PI) / 180
    put({ east: radii.p68 * Math.cos(radians), north: radii.p68 * Math.sin(radians), mark: '·' })
  }
  put({ east: 0, north: 0, mark: '+' })
  for (const place of [...places].reverse()) put(place)
  const legend = `+ position, · 68 %; a line is ${step < 10 ? step.toFixed(1) : String(Math.round(step))} m high`
  return ['', ...grid.map((row) => `  ${row.join('').trimEnd()}`), '', `  ${legend}`]
}

/** Returns the letter of an own access point in the table and the picture: A to Z, then a to z, then "*". */
export function markOf(index: number): string {
  if (index < 26) return String.fromCharCode(65 + index)
  return index < 52 ? String.fromCharCode(97 + index - 26) : '*'
}
