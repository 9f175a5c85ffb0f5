import { OperationError } from '@bearing/contracts/errors'
import { MAX_PACKED_ROWS, type appendToImport } from '@bearing/contracts/location/access-point-import'
import { isUsableBssid } from '@bearing/contracts/location/mac-address'
import {
  findPackedMistake,
  PACKED_ROW_BYTES,
  RowPacker,
  unpackRows,
  type TakeRow,
} from '@bearing/contracts/location/packed-rows'
import type { Input } from '@bearing/contracts/operation'

/** The most rows that a batch can have, however it was sent. */
export const MAX_STORED_ROWS = MAX_PACKED_ROWS

/** A batch as it is stored. */
export interface Payload {
  readonly rows: number
  /** The rows, packed (`packed-rows.ts` of the contracts). */
  readonly packed: Uint8Array<ArrayBuffer>
}

/**
 * Reads the rows of a batch, in whatever form they were sent.
 *
 * @throws OperationError `invalid_input` where there are none, or both forms, or packed rows have a mistake
 */
export function payloadOf({ rows, packed }: Pick<Input<typeof appendToImport>, 'rows' | 'packed'>): Payload {
  if ((rows === undefined) === (packed === undefined))
    throw mistake('/rows', 'must be there, or else `packed`, but not both')
  if (rows) {
    const packer = new RowPacker(rows.length)
    for (const row of rows) packer.add(...row)
    return { rows: rows.length, packed: packer.bytes() }
  }
  const bytes = new Uint8Array(Buffer.from(packed ?? '', 'base64'))
  const detail = findPackedMistake(bytes)
  if (detail) throw mistake('/packed', detail)
  return { rows: bytes.byteLength / PACKED_ROW_BYTES, packed: bytes }
}

/** Gives every row of a stored batch whose address can be one of an access point. */
export function readPayload(payload: Uint8Array, take: TakeRow): void {
  unpackRows(payload, (bssid, lat, lon, signalDbm) => {
    if (isUsableBssid(bssid)) take(bssid, lat, lon, signalDbm)
  })
}

function mistake(pointer: string, detail: string): OperationError {
  return new OperationError('invalid_input', `${pointer} ${detail}`, { errors: [{ pointer, detail }] })
}
