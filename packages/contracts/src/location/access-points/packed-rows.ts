/**
 * Rows of an import, packed: 15 bytes each, big-endian, without anything between them. It is a third of the JSON, and
 * reading it needs no decision for each field.
 *
 * | bytes | what |
 * |---|---|
 * | 0–5 | BSSID, 48 bits |
 * | 6–9 | latitude in 10⁻⁷ degrees (1 cm), WGS 84, signed |
 * | 10–13 | longitude in 10⁻⁷ degrees, signed |
 * | 14 | signal strength in dBm, −128 to −1; 0 where it is not known |
 */
export const PACKED_ROW_BYTES = 15

const DEGREE = 1e7
const MAX_LAT = 90 * DEGREE
const MAX_LON = 180 * DEGREE

/** Writes rows one after the other. */
export class RowPacker {
  private readonly view: DataView
  private end = 0

  /** @param capacity how many rows fit */
  constructor(capacity: number) {
    this.view = new DataView(new ArrayBuffer(capacity * PACKED_ROW_BYTES))
  }

  get rows(): number {
    return this.end / PACKED_ROW_BYTES
  }

  get isFull(): boolean {
    return this.end === this.view.byteLength
  }

  /**
   * @param bssid 48 bits as an integer
   * @param lat degrees, −90 to 90
   * @param lon degrees, −180 to 180
   * @param signalDbm −128 to −1 dBm; null where it is not known
   * @throws RangeError where it is full
   */
  add(bssid: number, lat: number, lon: number, signalDbm: number | null): void {
    const { view, end } = this
    view.setUint16(end, Math.floor(bssid / 2 ** 32))
    view.setUint32(end + 2, bssid % 2 ** 32)
    view.setInt32(end + 6, Math.round(lat * DEGREE))
    view.setInt32(end + 10, Math.round(lon * DEGREE))
    view.setInt8(end + 14, Math.round(signalDbm ?? 0))
    this.end = end + PACKED_ROW_BYTES
  }

  /** Returns what was written. It is not copied: the packer is not used after that. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.view.buffer as ArrayBuffer, 0, this.end)
  }
}

/** Called with each row; `signalDbm` is undefined where it is not known. */
export type TakeRow = (bssid: number, lat: number, lon: number, signalDbm: number | undefined) => void

/** Reads what {@link RowPacker} has written, in the same order. */
export function unpackRows(packed: Uint8Array, take: TakeRow): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at + PACKED_ROW_BYTES <= packed.byteLength; at += PACKED_ROW_BYTES) {
    const signalDbm = view.getInt8(at + 14)
    take(
      view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2),
      view.getInt32(at + 6) / DEGREE,
      view.getInt32(at + 10) / DEGREE,
      signalDbm < 0 ? signalDbm : undefined,
    )
  }
}

/**
 * Looks for the first mistake in packed rows.
 *
 * @returns what is wrong, as a sentence without its subject; undefined where nothing is
 */
export function findPackedMistake(packed: Uint8Array): string | undefined {
  if (packed.byteLength === 0 || packed.byteLength % PACKED_ROW_BYTES !== 0)
    return `must be one or more rows of ${String(PACKED_ROW_BYTES)} bytes`
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at < packed.byteLength; at += PACKED_ROW_BYTES) {
    const wrong =
      Math.abs(view.getInt32(at + 6)) > MAX_LAT
        ? 'a latitude beyond 90°'
        : Math.abs(view.getInt32(at + 10)) > MAX_LON
          ? 'a longitude beyond 180°'
          : view.getInt8(at + 14) > 0 && 'a signal strength above 0 dBm'
    if (wrong) return `has ${wrong} in row ${String(at / PACKED_ROW_BYTES)}`
  }
  return undefined
}
