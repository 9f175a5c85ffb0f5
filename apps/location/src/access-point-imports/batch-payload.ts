import type { appendToImport } from '@bearing/contracts/location/access-point-import'
import { isUsableBssid } from '@bearing/contracts/location/mac-address'
import type { Input } from '@bearing/contracts/operation'

type Rows = Input<typeof appendToImport>['rows']

const NUMBERS = 4
const NUMBER_BYTES = 8
const ROW_BYTES = NUMBERS * NUMBER_BYTES

/**
 * Writes the rows of a batch for storing: for each four little-endian doubles, which are BSSID, latitude and longitude in
 * degrees, and signal strength in dBm, NaN where it is not known. Rows with an address that no access point can have are
 * left out.
 */
export function encodeBatch(rows: Rows): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(rows.length * ROW_BYTES))
  let end = 0
  for (const [bssid, lat, lon, signalDbm] of rows) {
    if (!isUsableBssid(bssid)) continue
    view.setFloat64(end, bssid, true)
    view.setFloat64(end + NUMBER_BYTES, lat, true)
    view.setFloat64(end + 2 * NUMBER_BYTES, lon, true)
    view.setFloat64(end + 3 * NUMBER_BYTES, signalDbm ?? NaN, true)
    end += ROW_BYTES
  }
  return new Uint8Array(view.buffer, 0, end)
}

/** Reads what {@link encodeBatch} has written, in the same order. */
export function decodeBatch(
  payload: Uint8Array,
  take: (bssid: number, lat: number, lon: number, signalDbm: number | undefined) => void,
): void {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  for (let at = 0; at < payload.byteLength; at += ROW_BYTES) {
    const signalDbm = view.getFloat64(at + 3 * NUMBER_BYTES, true)
    take(
      view.getFloat64(at, true),
      view.getFloat64(at + NUMBER_BYTES, true),
      view.getFloat64(at + 2 * NUMBER_BYTES, true),
      Number.isNaN(signalDbm) ? undefined : signalDbm,
    )
  }
}
