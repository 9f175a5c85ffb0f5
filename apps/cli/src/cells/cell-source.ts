import { MAX_PACKED_CELLS, packCells, type PlacedCell } from '@bearing/contracts/location/packed-cells'
import { unpackedDigest, type BatchSource } from '../access-points/batch-source.js'
import type { Batch } from '@bearing/client/access-point-files/cut-batches'
import { readLines } from '@bearing/client/access-point-files/read-lines'
import { openText, type Tally } from '../access-points/read-rows.js'
import { UsageError } from '../usage-error.js'
import { cellReader, type ReadCell } from './cell-rows.js'

/** Reads cell files. */
export const CELL_SOURCE: BatchSource = {
  batchRows: MAX_PACKED_CELLS,
  open: async (file, tally, signal) => {
    const { opening, pieces } = await openText(file, tally, signal)
    const first = opening.split(/\r?\n/, 100).find((line) => line !== '') ?? ''
    const read = cellReader(first)
    if (!read)
      throw new UsageError(
        `${file.name} is not a cell file.`,
        'Use CSV with the columns radio, mcc, net, area, cell, lon and lat in any order and a header, or the 14 columns of OpenCelliD without a header.',
      )
    return {
      content: 'cells',
      batches: batchesOf(pieces, read, tally),
      digest: () => unpackedDigest(file, signal),
    }
  },
}

/** The same cells always form the same batches, so a repeated batch replaces itself. */
async function* batchesOf(
  pieces: AsyncIterable<string>,
  read: ReadCell,
  tally: Tally,
): AsyncGenerator<Batch> {
  let cells: PlacedCell[] = []
  for await (const lines of readLines(pieces))
    for (const line of lines) {
      const cell = tally.count(read(line))
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
