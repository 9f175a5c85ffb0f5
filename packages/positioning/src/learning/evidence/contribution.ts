import type { CellKey } from '@bearing/contracts/location/cells/cell-identity'
import type { Coordinates } from '../../earth/sphere.js'
import type { Height } from '../../earth/height.js'

/** One access point as a device heard it. */
export interface Reading {
  /** 48 bits as an integer. */
  readonly bssid: number
  /** −128 up to, but without, 0; whole dBm. */
  readonly signalDbm: number
  /** Time between its reception and the scan, in milliseconds, if the device says so. */
  readonly ageMs?: number | undefined
}

/** One radio cell as a device heard it. */
export interface RadioCellReading extends CellKey {
  /** −156 to −1, whole dBm, if the device says so. */
  readonly signalDbm?: number | undefined
  /** As of a {@link Reading}. */
  readonly ageMs?: number | undefined
}

/** A scan that says where it was taken. */
export interface Contribution extends Coordinates {
  /** Possible error of the position, in meters. */
  readonly accuracyMeters: number
  /** Time of the scan: seconds since 1970. */
  readonly atSeconds: number
  /** Speed of the device, in meters a second, if it says so. */
  readonly speedMetersPerSecond?: number | undefined
  readonly height?: Height | undefined
  readonly readings: readonly Reading[]
  /** The radio cells that were heard, where there were some. */
  readonly cells?: readonly RadioCellReading[] | undefined
}
