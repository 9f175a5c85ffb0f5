/** Mean radius of the Earth in meters (IUGG R1). */
export const EARTH_RADIUS_METERS = 6_371_008.8

const DEGREE = Math.PI / 180

/** Degrees, WGS 84. */
export interface Coordinates {
  /** −90 to 90. */
  readonly lat: number
  /** −180 to 180. */
  readonly lon: number
}

/**
 * A place as a vector from the center of the Earth, in meters. Means and distances of vectors know neither poles nor an
 * antimeridian. Up to a few kilometers a straight line is as long as the great circle (5 km: less than 1 mm shorter).
 */
export interface Vector {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Returns the place on a sphere of {@link EARTH_RADIUS_METERS}. */
export function toVector({ lat, lon }: Coordinates): Vector {
  const outwards = EARTH_RADIUS_METERS * Math.cos(lat * DEGREE)
  return {
    x: outwards * Math.cos(lon * DEGREE),
    y: outwards * Math.sin(lon * DEGREE),
    z: EARTH_RADIUS_METERS * Math.sin(lat * DEGREE),
  }
}

/** Returns the place above or below which a vector ends, whatever its length. */
export function toCoordinates({ x, y, z }: Vector): Coordinates {
  return { lat: Math.atan2(z, Math.hypot(x, y)) / DEGREE, lon: Math.atan2(y, x) / DEGREE }
}

/** Square of the straight distance, in square meters. */
export function squaredDistance(one: Vector, other: Vector): number {
  const x = one.x - other.x
  const y = one.y - other.y
  const z = one.z - other.z
  return x * x + y * y + z * z
}
