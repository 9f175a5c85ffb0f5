import { fromQuadPlace } from '../../earth/quad-cell.js'
import { squaredDistance, toVector, type Coordinates } from '../../earth/sphere.js'
import { cornerOf, edgeSteps } from './layer-of-cells.js'
import { MOST_STEP_METERS } from './sites.js'

/**
 * Returns whether squares have no part in an area. Squares count as the circles around them, so one that is taken for a part of the area
 * may lie beside it.
 *
 * @param radius of the area, in meters
 */
export function squaresOutside(middle: Coordinates, radius: number): (key: number, level: number) => boolean {
  const center = toVector(middle)
  return (key, level) => {
    const edge = edgeSteps(level)
    const { face, i, j } = cornerOf(key, level)
    const place = fromQuadPlace({ face, i: i + edge / 2, j: j + edge / 2 })
    const reach = radius + edge * MOST_STEP_METERS * Math.SQRT1_2
    return squaredDistance(place, center) > reach ** 2
  }
}
