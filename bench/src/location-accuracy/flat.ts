const EARTH_RADIUS_METERS = 6_371_008.8
const DEGREE = Math.PI / 180

/** A place on a map of its surroundings: meters to the east and the north of an origin. */
export interface Spot {
  readonly x: number
  readonly y: number
}

export interface Place {
  readonly lat: number
  readonly lon: number
}

/** A map around an origin, exact to a centimeter within a few kilometers. */
export class FlatMap {
  private readonly perLon: number

  constructor(private readonly origin: Place) {
    this.perLon = EARTH_RADIUS_METERS * DEGREE * Math.cos(origin.lat * DEGREE)
  }

  spot({ lat, lon }: Place): Spot {
    return {
      x: (lon - this.origin.lon) * this.perLon,
      y: (lat - this.origin.lat) * DEGREE * EARTH_RADIUS_METERS,
    }
  }

  place({ x, y }: Spot): Place {
    return {
      lat: this.origin.lat + y / (DEGREE * EARTH_RADIUS_METERS),
      lon: this.origin.lon + x / this.perLon,
    }
  }
}

/** Great-circle distance in meters (haversine). */
export function distanceMeters(one: Place, other: Place): number {
  const h =
    Math.sin(((other.lat - one.lat) * DEGREE) / 2) ** 2 +
    Math.cos(one.lat * DEGREE) *
      Math.cos(other.lat * DEGREE) *
      Math.sin(((other.lon - one.lon) * DEGREE) / 2) ** 2
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(h))
}

/** The value below which a share of all lies. */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
