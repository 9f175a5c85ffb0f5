import { MAX_ACCESS_POINTS } from '@bearing/contracts/location/access-points/heard-access-point'
import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import { isOptedOut } from '@bearing/contracts/location/access-points/opted-out'
import { areOfRadios } from './radio.js'
import { RepeatedReadings, type PreviousScan } from './repeated-readings.js'
import { addReading, type HeardAccessPoint, type ReadScan, type Scan } from './scan.js'

/** A reading as a device sends it. */
export interface SentReading extends HeardAccessPoint {
  /** Name of the network, if the device says so. */
  readonly networkName?: string | null | undefined
  /** Time since its reception, in milliseconds, if the device says so. */
  readonly ageMs?: number | undefined
  /** Distance by round-trip times in meters, if the device has measured it, and the standard deviation of the measurements. */
  readonly distanceMeters?: number | undefined
  readonly distanceDeviationMeters?: number | undefined
}

/** With fewer radios left, stale readings are better than none: on made-up streets positions from two were further off than from all. */
const LEAST_RADIOS = 3

/** Readings older than the latest by more than this, in milliseconds, come from elsewhere: devices move, and drivers keep old readings. */
export const MOST_OLDER_MS = 20_000

/**
 * Returns the readings of a scan that say where the device is now: usable addresses, each once ({@link addReading}), of networks whose
 * owners did not opt out ({@link optedOut}), and not older than the latest of them by more than 20 s. Ages ({@link ageReader}) are compared with
 * each other, since a scan may have waited for a connection. (Measured in malls: 8.0 m with fresh readings, 10.9 m with all.)
 *
 * Repeats of previous scans ({@link RepeatedReadings}) are left out if three radios remain without them. Of more than
 * {@link MAX_ACCESS_POINTS} addresses the strongest count.
 */
export function usableReadings(sent: readonly SentReading[], previous: readonly PreviousScan[] = []): Scan {
  const scan = readingsOf(sent, undefined)
  if (previous.length === 0) return scan
  const fresh = readingsOf(sent, new RepeatedReadings(previous))
  return areOfRadios(fresh.keys(), LEAST_RADIOS) ? fresh : scan
}

function readingsOf(sent: readonly SentReading[], repeated: RepeatedReadings | undefined): Scan {
  const without = optedOut(sent)
  const counted = sent.filter(({ bssid }) => isUsableBssid(bssid) && !without?.has(bssid))
  const ageOf = ageReader(counted)
  let latest = Infinity
  for (const { ageMs } of counted) latest = Math.min(latest, ageOf(ageMs) ?? Infinity)
  const scan: ReadScan = new Map()
  for (const reading of counted)
    if (!((ageOf(reading.ageMs) ?? latest) - latest > MOST_OLDER_MS || repeated?.has(reading)))
      addReading(scan, reading)
  return scan.size > MAX_ACCESS_POINTS ? strongestOf(scan) : scan
}

/**
 * Returns how the ages of a scan are read. Less than 0 is a clock that was set in between, which says nothing about the age; if no age of
 * a scan is more than 0, the device writes all of them with the other sign.
 *
 * @param counted the readings that count
 */
export function ageReader(
  counted: Iterable<Pick<SentReading, 'ageMs'>>,
): (ageMs: number | undefined) => number | undefined {
  for (const { ageMs = 0 } of counted)
    if (ageMs > 0) return (sent) => (sent !== undefined && sent < 0 ? undefined : sent)
  return (sent) => (sent === undefined ? undefined : Math.abs(sent))
}

function strongestOf(scan: Scan): Scan {
  const byStrength = [...scan].sort(([, one = -Infinity], [, other = -Infinity]) => {
    return one === other ? 0 : other - one
  })
  return new Map(byStrength.slice(0, MAX_ACCESS_POINTS))
}

/**
 * Returns the addresses of networks whose owners opted out, however often a scan has them: a network is heard under its name, and once
 * more without one, where what was heard first had none (a beacon that hides it).
 *
 * @returns undefined for none, which is usual
 */
export function optedOut(
  sent: Iterable<Pick<SentReading, 'bssid' | 'networkName'>>,
): ReadonlySet<number> | undefined {
  let found: Set<number> | undefined
  for (const { bssid, networkName } of sent)
    if (typeof networkName === 'string' && isOptedOut(networkName)) (found ??= new Set()).add(bssid)
  return found
}
