import { isLearned, type Knowledge } from '../access-points/access-point-model.js'
import { evidenceOf } from '../access-points/coverage.js'
import { Plane } from '../earth/plane.js'
import { UNKNOWN_SIGNAL_DBM } from './signal-model.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'

/** Distances of a position to an access point, and to the area that receives it at its signal strength. In meters. */
export interface Residual {
  /** From its own place. */
  readonly distance: number
  /** From the area that receives it this strong ({@link evidenceOf}). */
  readonly residual: number
  /** Expected size of the residual: its root mean square. */
  readonly expected: number
}

/**
 * Compares an access point with a position.
 *
 * @param signalDbm −128 up to, but without, 0; undefined if the device did not say
 */
export function residualOf(
  bssid: number,
  known: Knowledge,
  signalDbm: number | undefined,
  position: Coordinates,
): Residual {
  const origin = toVector(position)
  const plane = new Plane(origin)
  const place = toVector(known)
  const { x, y, variance } = evidenceOf({
    bssid,
    signalDbm: signalDbm ?? UNKNOWN_SIGNAL_DBM,
    known,
    share: isLearned(known) ? 1 - known.moving : 1,
    east: plane.east(place),
    north: plane.north(place),
    turn: plane.turnedAt(place),
  })
  return {
    distance: Math.sqrt(squaredDistance(place, origin)),
    residual: Math.hypot(x, y),
    expected: Math.sqrt(2 * variance),
  }
}
