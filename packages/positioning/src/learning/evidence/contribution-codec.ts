import { ByteReader } from '../statistics/byte-reader.js'
import { ByteWriter } from '../statistics/byte-writer.js'
import type { CellKey, Radio } from '@bearing/contracts/location/cells/cell-identity'
import type { Contribution, RadioCellReading, Reading } from './contribution.js'

/** The first byte: of a contribution without radio cells, and of one that ends with them. */
const VERSION = { withoutCells: 1, withCells: 2 } as const
/** Ages are kept up to this, in milliseconds; longer ones are too old for anything. */
const MOST_AGE_MS = 65_534
const NO_AGE = 65_535

/**
 * A contribution as it is stored: with what was learned from it, so that a rebuild need not know what the device sent
 * before. Of radio cells it has only those that were learned.
 */
export interface StoredContribution extends Contribution {
  /** The readings that were learned from, a part of `readings`; none where nothing was. */
  readonly learned: readonly Reading[]
}

/**
 * Writes a contribution as bytes: 42, ten for each access point and 16 for each radio cell. Coordinates are kept as they came, so that what is
 * learned from them once more is the same, bit by bit.
 */
export function encodeContribution(contribution: StoredContribution): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter()
  writeContribution(writer, contribution)
  return writer.take()
}

/** Writes contributions one after the other, each as {@link encodeContribution} does. */
export function encodeContributions(contributions: readonly StoredContribution[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter()
  for (const contribution of contributions) writeContribution(writer, contribution)
  return writer.take()
}

function writeContribution(writer: ByteWriter, contribution: StoredContribution): void {
  const {
    lat,
    lon,
    accuracyMeters,
    atSeconds,
    speedMetersPerSecond,
    readings,
    learned,
    cells = [],
  } = contribution
  writer.byte(cells.length > 0 ? VERSION.withCells : VERSION.withoutCells)
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
  if (cells.length > 0) writeCells(writer, cells)
}

/**
 * Reads what {@link encodeContribution} has written.
 *
 * @throws RangeError where it has not written that
 */
export function decodeContribution(bytes: Uint8Array): StoredContribution {
  return readContribution(new ByteReader(bytes))
}

/**
 * Reads what {@link encodeContributions} has written.
 *
 * @throws RangeError where it has not written that
 */
export function decodeContributions(bytes: Uint8Array): StoredContribution[] {
  const reader = new ByteReader(bytes)
  const contributions: StoredContribution[] = []
  while (!reader.isDone) contributions.push(readContribution(reader))
  return contributions
}

function readContribution(reader: ByteReader): StoredContribution {
  const version = reader.byte()
  if (version !== VERSION.withoutCells && version !== VERSION.withCells)
    throw new RangeError(`a contribution of an unknown version, ${String(version)}`)
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
  const cells = version === VERSION.withCells && readCells(reader)
  return {
    lat,
    lon,
    accuracyMeters,
    atSeconds,
    ...(!Number.isNaN(speed) && { speedMetersPerSecond: speed }),
    readings,
    learned,
    ...(cells && { cells }),
  }
}

/** Returns the bytes that a radio cell begins with in what was stored, by which it can be searched for. */
export function cellBytes(cell: CellKey): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter()
  writeCellKey(writer, cell)
  return writer.take()
}

function writeCellKey(writer: ByteWriter, { radio, mcc, mnc, area, cell }: CellKey): void {
  writer.byte(radio)
  for (const [value, bytes] of [
    [mcc, 2],
    [mnc, 2],
    [area, 4],
    [cell, 6],
  ] as const)
    for (let byte = bytes - 1; byte >= 0; byte--) writer.byte(Math.floor(value / 2 ** (8 * byte)) % 2 ** 8)
}

function writeCells(writer: ByteWriter, cells: readonly RadioCellReading[]): void {
  writer.whole(cells.length)
  for (const cell of cells) {
    writeCellKey(writer, cell)
    writer.byte(-(cell.signalDbm ?? 0))
  }
}

function readCells(reader: ByteReader): RadioCellReading[] {
  const number = (bytes: number) => {
    let value = 0
    for (let byte = 0; byte < bytes; byte++) value = value * 2 ** 8 + reader.byte()
    return value
  }
  return Array.from({ length: reader.whole() }, () => {
    const radio = reader.byte() as Radio // one was written
    const key = { radio, mcc: number(2), mnc: number(2), area: number(4), cell: number(6) }
    const signal = reader.byte()
    return { ...key, ...(signal > 0 && { signalDbm: -signal }) }
  })
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
