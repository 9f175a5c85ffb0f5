import { isUsableCell, type CellKey, type Radio } from './cell-identity.js'

/**
 * Cells of an import, packed: 31 bytes each, big-endian, without anything between them.
 *
 * | bytes | what |
 * |---|---|
 * | 0 | radio: 2 GSM, 3 UMTS, 4 LTE, 5 NR |
 * | 1–2, 3–4 | mobile country code, mobile network code |
 * | 5–8 | location area or tracking area code |
 * | 9–14 | cell identity |
 * | 15–18, 19–22 | latitude and longitude in 10⁻⁷ degrees, WGS 84, signed |
 * | 23–26 | how far from there it is heard, in meters; 0 where that is not known |
 * | 27–30 | how many observations that comes from, at least 1 |
 */
export const PACKED_CELL_BYTES = 31

/** The most cells in one batch: as many bytes as the most packed rows. */
export const MAX_PACKED_CELLS = 7_900

/** No cell is heard further, in meters. */
export const MAX_CELL_RANGE = 1_000_000

const DEGREE = 1e7
const MOST_SAMPLES = 2 ** 31 - 1

/** A cell, and where it is heard. */
export interface PlacedCell extends CellKey {
  /** Degrees, WGS 84. */
  readonly lat: number
  readonly lon: number
  /** Meters, 0 to {@link MAX_CELL_RANGE}. */
  readonly range: number
  readonly samples: number
}

export function packCells(cells: readonly PlacedCell[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(cells.length * PACKED_CELL_BYTES))
  cells.forEach(({ radio, mcc, mnc, area, cell, lat, lon, range, samples }, index) => {
    const at = index * PACKED_CELL_BYTES
    view.setUint8(at, radio)
    view.setUint16(at + 1, mcc)
    view.setUint16(at + 3, mnc)
    view.setUint32(at + 5, area)
    view.setUint16(at + 9, Math.floor(cell / 2 ** 32))
    view.setUint32(at + 11, cell % 2 ** 32)
    view.setInt32(at + 15, Math.round(lat * DEGREE))
    view.setInt32(at + 19, Math.round(lon * DEGREE))
    view.setUint32(at + 23, Math.round(range))
    view.setUint32(at + 27, Math.min(MOST_SAMPLES, samples))
  })
  return new Uint8Array(view.buffer)
}

/** Reads what {@link packCells} has written, in the same order. What was not written by it is to be checked first. */
export function unpackCells(packed: Uint8Array): PlacedCell[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return Array.from({ length: Math.floor(packed.byteLength / PACKED_CELL_BYTES) }, (_, index) => {
    const at = index * PACKED_CELL_BYTES
    return {
      radio: view.getUint8(at) as Radio, // checked by `findCellMistake`
      mcc: view.getUint16(at + 1),
      mnc: view.getUint16(at + 3),
      area: view.getUint32(at + 5),
      cell: view.getUint16(at + 9) * 2 ** 32 + view.getUint32(at + 11),
      lat: view.getInt32(at + 15) / DEGREE,
      lon: view.getInt32(at + 19) / DEGREE,
      range: view.getUint32(at + 23),
      samples: view.getUint32(at + 27),
    }
  })
}

/**
 * Looks for the first mistake in packed cells.
 *
 * @returns what is wrong, as a sentence without its subject; undefined where nothing is
 */
export function findCellMistake(packed: Uint8Array): string | undefined {
  if (packed.byteLength === 0 || packed.byteLength % PACKED_CELL_BYTES !== 0)
    return `must be one or more cells of ${String(PACKED_CELL_BYTES)} bytes`
  if (packed.byteLength > MAX_PACKED_CELLS * PACKED_CELL_BYTES)
    return `must be at most ${String(MAX_PACKED_CELLS)} cells`
  for (const [index, cell] of unpackCells(packed).entries()) {
    const wrong = mistakeOf(cell)
    if (wrong) return `has ${wrong} in cell ${String(index)}`
  }
  return undefined
}

function mistakeOf(cell: PlacedCell): string | undefined {
  if (![2, 3, 4, 5].includes(cell.radio)) return 'an unknown radio'
  if (!isUsableCell(cell)) return 'a part of its identity out of range'
  if (Math.abs(cell.lat) > 90) return 'a latitude beyond 90°'
  if (Math.abs(cell.lon) > 180) return 'a longitude beyond 180°'
  if (cell.range > MAX_CELL_RANGE) return 'a range of more than 1,000 km'
  return cell.samples < 1 || cell.samples > MOST_SAMPLES ? 'no number of observations' : undefined
}
