import {
  EARTH_RADIUS_METERS,
  squaredDistance,
  toVector,
  type Coordinates,
  type Vector,
} from '@bearing/positioning/earth/sphere'
import type { Area } from './station.js'

/** Returns whether a place is in an area. */
export function isInside(area: Area, place: Coordinates): boolean {
  return areaTest(area)(toVector(place))
}

export function areaTest({ radius, ...middle }: Area): (place: Vector) => boolean {
  const center = toVector(middle)
  const chord = 2 * EARTH_RADIUS_METERS * Math.sin(radius / (2 * EARTH_RADIUS_METERS))
  return (place) => squaredDistance(center, place) <= chord ** 2
}
