import { MAX_BATCH_ROWS } from '@bearing/contracts/location/access-point-import'
import type { ReadRow } from './row-reader.js'

/** A batch may not be larger than this as JSON, in bytes: the gateway's limit is 768 KiB, and there are other fields. */
const MAX_BATCH_BYTES = 700 * 1_024

/**
 * The longest row as JSON, in bytes: `["0123456789ab",-90.1234567,-180.1234567,-128],`, with the exponents that very
 * small numbers are written with.
 */
const MAX_ROW_BYTES = 64

/** The rows of a batch. With this many, no batch can be too large, whatever is in it. */
export const BATCH_ROWS = Math.min(MAX_BATCH_ROWS, Math.floor(MAX_BATCH_BYTES / MAX_ROW_BYTES))

/**
 * Cuts rows into batches. The same rows are always cut in the same way: a batch that is sent again replaces itself.
 */
export async function* cutBatches(pieces: AsyncIterable<readonly ReadRow[]>): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = []
  for await (const piece of pieces)
    for (const row of piece) {
      batch.push(row)
      if (batch.length === BATCH_ROWS) {
        yield batch
        batch = []
      }
    }
  if (batch.length > 0) yield batch
}
