import { toCoordinates, type Coordinates, type Vector } from './sphere.js'

/**
 * The plane that touches the Earth at a place: meters to the east and to the north of there. Within 2 km the distance
 * between plane and sphere shortens distances by less than 0.1 mm.
 */
export class Plane {
  private readonly sinLon: number
  private readonly cosLon: number
  private readonly sinLat: number
  private readonly cosLat: number

  /** @param origin where it touches: the end of a vector on the sphere */
  constructor(readonly origin: Vector) {
    const { x, y, z } = origin
    const outwards = Math.hypot(x, y)
    const length = Math.hypot(outwards, z)
    // At a pole every direction is south; any will do.
    this.sinLon = outwards > 0 ? y / outwards : 0
    this.cosLon = outwards > 0 ? x / outwards : 1
    this.sinLat = z / length
    this.cosLat = outwards / length
  }

  /** Meters to the east. */
  east({ x, y }: Vector): number {
    return (y - this.origin.y) * this.cosLon - (x - this.origin.x) * this.sinLon
  }

  /** Meters to the north. */
  north({ x, y, z }: Vector): number {
    const { origin, sinLat, cosLat, sinLon, cosLon } = this
    return (z - origin.z) * cosLat - ((x - origin.x) * cosLon + (y - origin.y) * sinLon) * sinLat
  }

  /** Returns the angle from this plane's east to that of another place, in radians: meridians are not parallel. */
  turnedAt({ x, y }: Vector): number {
    const sine = (y * this.cosLon - x * this.sinLon) / Math.max(1, Math.hypot(x, y))
    return Math.asin(Math.min(1, Math.max(-1, sine))) * this.sinLat
  }

  toVector(east: number, north: number): Vector {
    const { origin, sinLat, cosLat, sinLon, cosLon } = this
    return {
      x: origin.x - east * sinLon - north * sinLat * cosLon,
      y: origin.y + east * cosLon - north * sinLat * sinLon,
      z: origin.z + north * cosLat,
    }
  }

  toCoordinates(east: number, north: number): Coordinates {
    return toCoordinates(this.toVector(east, north))
  }
}
