import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidInput } from '@bearing/contracts/errors'
import {
  MAX_PACKED_ROWS,
  type appendToImport,
} from '@bearing/contracts/location/access-points/access-point-import'
import { findCellMistake, PACKED_CELL_BYTES } from '@bearing/contracts/location/cells/packed-cells'
import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import {
  findPackedMistake,
  PACKED_ROW_BYTES,
  RowPacker,
  unpackRows,
  type TakeRow,
} from '@bearing/contracts/location/access-points/packed-rows'
import type { Input } from '@bearing/contracts/operation'

/** The most rows that a batch can have, however it was sent. */
export const MAX_STORED_ROWS = MAX_PACKED_ROWS

/** A batch as it is stored. */
export interface Payload {
  readonly rows: number
  /** True if they are radio cells. */
  readonly isCells: boolean
  /** The rows, packed (`packed-rows.ts` or `packed-cells.ts` of the contracts). */
  readonly packed: Uint8Array<ArrayBuffer>
}

/**
 * Reads the rows of a batch, in whatever form they were sent.
 *
 * @throws OperationError `invalid_input` if there are none, or several forms, or packed rows have a mistake
 */
export function payloadOf({
  rows,
  packed,
  packed_cells,
}: Pick<Input<typeof appendToImport>, 'rows' | 'packed' | 'packed_cells'>): Payload {
  if ([rows, packed, packed_cells].filter((form) => form !== undefined).length !== 1)
    throw invalidInput('/rows', 'must be there, or else `packed` or `packed_cells`, but no two of them')
  if (packed_cells !== undefined) return cellsOf(packed_cells)
  if (rows) {
    const packer = new RowPacker(rows.length)
    for (const row of rows) packer.add(...row)
    return { rows: rows.length, isCells: false, packed: packer.bytes() }
  }
  const bytes = new Uint8Array(Buffer.from(packed ?? '', 'base64'))
  const detail = findPackedMistake(bytes)
  if (detail) throw invalidInput('/packed', detail)
  return { rows: bytes.byteLength / PACKED_ROW_BYTES, isCells: false, packed: bytes }
}

function cellsOf(base64: string): Payload {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  const detail = findCellMistake(bytes)
  if (detail) throw invalidInput('/packed_cells', detail)
  return { rows: bytes.byteLength / PACKED_CELL_BYTES, isCells: true, packed: bytes }
}

/** Rows that are read in one turn of the event loop: look-ups wait less than a millisecond. */
const ROWS_A_TURN = 1_000

/** Gives every row of a stored batch whose address can be one of an access point, in turns. */
export async function readPayload(payload: Uint8Array, take: TakeRow): Promise<void> {
  const usable: TakeRow = (bssid, lat, lon, signalDbm) => {
    if (isUsableBssid(bssid)) take(bssid, lat, lon, signalDbm)
  }
  for (let at = 0; at < payload.length; at += ROWS_A_TURN * PACKED_ROW_BYTES) {
    unpackRows(payload.subarray(at, at + ROWS_A_TURN * PACKED_ROW_BYTES), usable)
    await nextTurn()
  }
}
