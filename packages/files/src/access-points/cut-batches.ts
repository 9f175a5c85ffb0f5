import { MAX_PACKED_ROWS } from '@bearing/contracts/location/access-points/access-point-import'
import { RowPacker } from '@bearing/contracts/location/access-points/packed-rows'
import type { ReadRow } from './check-row.js'

export interface Batch {
  readonly rows: number
  /** Base64 (`packed-rows.ts` of the contracts). */
  readonly packed: string
}

/** Rows of a batch: 320 KiB in base64; a gateway accepts 768. */
export const BATCH_ROWS = MAX_PACKED_ROWS

/**
 * Divides rows into batches. The same rows always form the same batches, so a repeated batch replaces itself.
 *
 * @param toBase64 encodes the bytes of a batch; browsers and Node do it in different ways
 */
export async function* cutBatches(
  pieces: AsyncIterable<readonly ReadRow[]>,
  toBase64: (bytes: Uint8Array<ArrayBuffer>) => string,
): AsyncGenerator<Batch> {
  const batchOf = (full: RowPacker) => ({ rows: full.rows, packed: toBase64(full.bytes()) })
  let packer = new RowPacker(BATCH_ROWS)
  for await (const piece of pieces)
    for (const [bssid, lat, lon, dbm] of piece) {
      packer.add(bssid, lat, lon, dbm)
      if (!packer.isFull) continue
      yield batchOf(packer)
      packer = new RowPacker(BATCH_ROWS)
    }
  if (packer.rows > 0) yield batchOf(packer)
}
