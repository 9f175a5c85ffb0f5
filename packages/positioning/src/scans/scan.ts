import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'

/** One access point as a device heard it. */
export interface HeardAccessPoint {
  /** 48 bits as an integer. */
  readonly bssid: number
  /** −128 up to, but without, 0; left out where the device did not say. */
  readonly signalDbm?: number | undefined
}

/** The usable addresses of a scan, each once, with the strongest signal that was given for it. */
export type Scan = ReadonlyMap<number, number | undefined>

/** A scan that is being read. */
export type ReadScan = Map<number, number | undefined>

/** Reads a scan: leaves out addresses that no access point can have, and merges what was sent twice. */
export function readScan(heard: Iterable<HeardAccessPoint>): Scan {
  const scan: ReadScan = new Map()
  for (const reading of heard) addReading(scan, reading)
  return scan
}

/** Adds a reading to a scan as {@link readScan} does. */
export function addReading(scan: ReadScan, { bssid, signalDbm }: HeardAccessPoint): void {
  if (!isUsableBssid(bssid)) return
  const before = scan.get(bssid)
  if (before === undefined || (signalDbm !== undefined && signalDbm > before)) scan.set(bssid, signalDbm)
}
