import { ByteReader } from './byte-reader.js'
import type { ByteWriter } from './byte-writer.js'
import { EMPTY_LAYER, type Cell, type Layer } from './layer-of-cells.js'

/** Stands for an exponent: the numbers of the block are doubles, since they do not fit. */
const DOUBLES = 255
/** Further than this numbers are not halved: what is left is written as doubles. */
const MOST_EXPONENT = 60
const MOST_WHOLE = 2 ** 52
const NOTHING = new Uint8Array()

/** Returns a layer as a block of bytes: none where it is empty. The writer is given back empty. */
export function encodeLayer(writer: ByteWriter, { level, cells }: Layer): Uint8Array {
  if (cells.length === 0 && level === 0) return NOTHING
  const numbers = cells.flatMap(({ weight, signal, i, j }) => [weight, signal, i, j])
  const write = sumWriter(writer, numbers)
  writer.byte(level)
  writer.whole(cells.length)
  let last = 0
  for (const { key, weight, signal, i, j } of cells) {
    writer.whole(key - last)
    last = key
    write(weight)
    write(signal)
    write(i)
    write(j)
  }
  return writer.take()
}

/** Reads what {@link encodeLayer} has written. */
export function decodeLayer(bytes: Uint8Array): Layer {
  if (bytes.length === 0) return EMPTY_LAYER
  const reader = new ByteReader(bytes)
  const read = sumReader(reader)
  const level = reader.byte()
  const count = reader.whole()
  const cells: Cell[] = []
  let key = 0
  for (let index = 0; index < count; index++) {
    key += reader.whole()
    cells.push({ key, weight: read(), signal: read(), i: read(), j: read() })
  }
  return { level, cells }
}

/** Writes the exponent that makes all of the numbers whole, and gives what writes one of them. */
export function sumWriter(writer: ByteWriter, numbers: readonly number[]): (sum: number) => void {
  const exponent = exponentOf(numbers)
  writer.byte(exponent)
  if (exponent === DOUBLES)
    return (sum) => {
      writer.real(sum)
    }
  const unit = 2 ** exponent
  return (sum) => {
    writer.signed(sum * unit)
  }
}

/** Reads what {@link sumWriter} has written. */
export function sumReader(reader: ByteReader): () => number {
  const exponent = reader.byte()
  if (exponent === DOUBLES) return () => reader.real()
  const unit = 2 ** exponent
  return () => reader.signed() / unit
}

function exponentOf(numbers: readonly number[]): number {
  let exponent = 0
  if (numbers.every((number) => Number.isInteger(number) && Math.abs(number) <= MOST_WHOLE)) return exponent
  for (const number of numbers) {
    while (!Number.isInteger(number * 2 ** exponent)) if (++exponent > MOST_EXPONENT) return DOUBLES
    if (Math.abs(number) * 2 ** exponent > MOST_WHOLE) return DOUBLES
  }
  // A later number may have raised the exponent of an earlier one.
  return numbers.every((number) => Math.abs(number) * 2 ** exponent <= MOST_WHOLE) ? exponent : DOUBLES
}
