import { ByteReader } from './byte-reader.js'
import { ByteWriter } from './byte-writer.js'
import type { Contribution, Reading } from './contribution.js'

/** The first byte. */
const VERSION = 1
/** Ages are kept up to this, in milliseconds; longer ones are too old for anything. */
const MOST_AGE_MS = 65_534
const NO_AGE = 65_535

/** A contribution as it is stored: with what it taught, so that a rebuild need not know what the device sent before it. */
export interface StoredContribution extends Contribution {
  /** The readings that were learned from, a part of `readings`; none where nothing was. */
  readonly learned: readonly Reading[]
}

/**
 * Writes a contribution as bytes: 42 and ten for each access point. Coordinates are kept as they came, so that what is
 * learned from them once more is the same, bit by bit.
 */
export function encodeContribution(contribution: StoredContribution): Uint8Array<ArrayBuffer> {
  const { lat, lon, accuracyMeters, atSeconds, speedMetersPerSecond, readings, learned } = contribution
  const writer = new ByteWriter()
  writer.byte(VERSION)
  for (const real of [lat, lon, accuracyMeters, atSeconds, speedMetersPerSecond ?? NaN]) writer.real(real)
  const isLearned = new Set(learned)
  writer.whole(readings.length)
  for (const reading of readings) {
    const { bssid, signalDbm, ageMs } = reading
    writer.bssid(bssid)
    writer.byte(-signalDbm)
    writer.whole(ageMs === undefined ? NO_AGE : Math.min(MOST_AGE_MS, Math.round(ageMs)))
    writer.byte(isLearned.has(reading) ? 1 : 0)
  }
  return writer.take()
}

/**
 * Reads what {@link encodeContribution} has written.
 *
 * @throws RangeError where it has not written that
 */
export function decodeContribution(bytes: Uint8Array): StoredContribution {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new RangeError(`a contribution of an unknown version, ${String(version)}`)
  const lat = reader.real()
  const lon = reader.real()
  const accuracyMeters = reader.real()
  const atSeconds = reader.real()
  const speed = reader.real()
  const readings: Reading[] = []
  const learned: Reading[] = []
  const count = reader.whole()
  for (let index = 0; index < count; index++) {
    const bssid = reader.bssid()
    const signalDbm = -reader.byte()
    const age = reader.whole()
    const reading: Reading = { bssid, signalDbm, ...(age !== NO_AGE && { ageMs: age }) }
    readings.push(reading)
    if (reader.byte() === 1) learned.push(reading)
  }
  return {
    lat,
    lon,
    accuracyMeters,
    atSeconds,
    ...(!Number.isNaN(speed) && { speedMetersPerSecond: speed }),
    readings,
    learned,
  }
}

/** Writes what a reference scan heard: seven bytes for each access point. */
export function encodeReadings(readings: readonly Reading[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter()
  for (const { bssid, signalDbm } of readings) {
    writer.bssid(bssid)
    writer.byte(-signalDbm)
  }
  return writer.take()
}

/** Reads what {@link encodeReadings} has written. */
export function decodeReadings(bytes: Uint8Array): (readonly [bssid: number, signalDbm: number])[] {
  const reader = new ByteReader(bytes)
  const readings: (readonly [number, number])[] = []
  while (!reader.isDone) readings.push([reader.bssid(), -reader.byte()])
  return readings
}
