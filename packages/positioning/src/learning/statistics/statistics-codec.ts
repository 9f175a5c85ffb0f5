import { ByteReader } from './byte-reader.js'
import { ByteWriter } from './byte-writer.js'
import { decodeLayer, encodeLayer, sumReader, sumWriter } from './layer-codec.js'
import type { Layer } from './layer-of-cells.js'
import type { Site, Sites } from './sites.js'
import type { AccessPointStatistics } from './statistics.js'

/** The first byte. Another layout gets another number, and {@link decodeStatistics} reads both. */
const VERSION = 1

/**
 * Writes statistics as bytes: about 40 for one observation, about 600 where all cells of all bands are in use.
 *
 * One byte for the version, the period, then a block for each band and one for the sites. In a block the sums, which are
 * whole numbers divided by a power of two, come as whole numbers after the exponent of that power. Keys come as
 * differences. Nothing is rounded: {@link decodeStatistics} gives back what was written, bit by bit.
 */
export function encodeStatistics({ period, bands, sites }: AccessPointStatistics): Uint8Array<ArrayBuffer> {
  const writer = WHOLE
  const inner = BLOCK
  writer.byte(VERSION)
  writer.signed(period)
  writer.byte(bands.length)
  for (const layer of bands) writer.block(encodeLayer(inner, layer))
  writer.block(encodeSites(inner, sites))
  return writer.take()
}

/**
 * Reads what {@link encodeStatistics} has written.
 *
 * @throws RangeError where it has not written that
 */
export function decodeStatistics(bytes: Uint8Array): AccessPointStatistics {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new RangeError(`statistics of an unknown version, ${String(version)}`)
  const period = reader.signed()
  const count = reader.byte()
  const bands: Layer[] = []
  for (let band = 0; band < count; band++) bands.push(decodeLayer(reader.block()))
  const sites = decodeSites(reader.block())
  if (!reader.isDone) throw new RangeError('statistics with more bytes than they say')
  return { period, bands, sites }
}

/** Scratch memory: to make it for each access point would take most of the time. */
const WHOLE = new ByteWriter()
const BLOCK = new ByteWriter()

function encodeSites(writer: ByteWriter, { level, sites }: Sites): Uint8Array {
  const write = sumWriter(
    writer,
    sites.map(({ weight }) => weight),
  )
  writer.byte(level)
  writer.whole(sites.length)
  let last = 0
  for (const { key, weight, firstDay, lastDay } of sites) {
    writer.whole(key - last)
    last = key
    write(weight)
    writer.signed(firstDay)
    writer.whole(lastDay - firstDay)
  }
  return writer.take()
}

function decodeSites(bytes: Uint8Array): Sites {
  const reader = new ByteReader(bytes)
  const read = sumReader(reader)
  const level = reader.byte()
  const count = reader.whole()
  const sites: Site[] = []
  let key = 0
  for (let index = 0; index < count; index++) {
    key += reader.whole()
    const weight = read()
    const firstDay = reader.signed()
    sites.push({ key, weight, firstDay, lastDay: firstDay + reader.whole() })
  }
  return { level, sites }
}
