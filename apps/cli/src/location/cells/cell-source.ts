import { MAX_PACKED_CELLS, packCells, type PlacedCell } from '@bearing/contracts/location/cells/packed-cells'
import type { Batch } from '@bearing/files/access-points/cut-batches'
import { ROWS } from '@bearing/files/access-points/formats'
import { cellReader, type ReadCell } from '@bearing/files/cells/cell-rows'
import { readCsv } from '@bearing/files/csv/read-csv'
import { firstRow } from '@bearing/files/csv/first-row'
import { unpackedDigest, type BatchSource } from '../access-points/batch-source.js'
import { openText, type RowTally } from '../access-points/read-rows.js'
import { UsageError } from '../../ground/usage-error.js'

/** Reads cell files. */
export const CELL_SOURCE: BatchSource = {
  batchRows: MAX_PACKED_CELLS,
  open: async (file, tally, signal) => {
    const { opening, chunks } = await openText(file, tally, signal)
    const read = cellReader(firstRow(opening))
    if (!read)
      throw new UsageError(
        `${file.name} is not a cell file.`,
        'Use CSV with the columns radio, mcc, net (or mnc), area (or lac), cell (or cid), lon and lat in any order and a header, or the 14 columns of OpenCelliD without a header.',
      )
    return {
      content: 'cells',
      batches: batchesOf(chunks, read, tally),
      digest: () => unpackedDigest(file, signal),
    }
  },
}

/** The same cells always form the same batches, so a repeated batch replaces itself. */
async function* batchesOf(
  chunks: AsyncIterable<Uint8Array>,
  read: ReadCell,
  tally: RowTally,
): AsyncGenerator<Batch> {
  let cells: PlacedCell[] = []
  for await (const rows of readCsv(chunks, ROWS))
    for (const { fields, line } of rows) {
      const cell = tally.count(fields ? read(fields) : 'malformed', line)
      if (!cell) continue
      cells.push(cell)
      if (cells.length < MAX_PACKED_CELLS) continue
      yield batchOf(cells)
      cells = []
    }
  if (cells.length > 0) yield batchOf(cells)
}

function batchOf(cells: readonly PlacedCell[]): Batch {
  return { rows: cells.length, packed: Buffer.from(packCells(cells).buffer).toString('base64') }
}
