import { createHash } from 'node:crypto'
import { BATCH_ROWS, cutBatches, type Batch } from './cut-batches.js'
import type { Format } from './formats.js'
import type { ImportFile } from './import-file.js'
import type { Import } from './import-target.js'
import { readRows, type Tally } from './read-rows.js'

/** How a file is read, batch by batch. */
export interface BatchSource {
  /** The rows of every batch but the last. */
  readonly batchRows: number
  /** What the content of an import is known by: read as something else, a file has another content. */
  readonly digestOf: (file: ImportFile) => string
  /** @throws UsageError where the format is not known, or the file is damaged or changes */
  readonly open: (
    file: ImportFile,
    tally: Tally,
    signal: AbortSignal,
  ) => Promise<{ readonly content: Import['content']; readonly batches: AsyncGenerator<Batch> }>
}

/** Files of access points, of a format or of the one that they are found to have. */
export function accessPointSource(format: Format | undefined): BatchSource {
  return {
    batchRows: BATCH_ROWS,
    digestOf: ({ digest }) =>
      format ? createHash('sha256').update(`${format} ${digest}`).digest('hex') : digest,
    open: async (file, tally, signal) => {
      const { content, pieces } = await readRows(file, tally, { signal, format })
      return { content, batches: cutBatches(pieces) }
    },
  }
}
