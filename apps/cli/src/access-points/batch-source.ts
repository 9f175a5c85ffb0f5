import { createHash } from 'node:crypto'
import { BATCH_ROWS, cutBatches, type Batch } from './cut-batches.js'
import type { Format } from './formats.js'
import type { ImportFile } from './import-file.js'
import type { Import } from './import-target.js'
import { readBytes, readRows, type Tally } from './read-rows.js'

/** A file that was opened. */
export interface OpenedFile {
  readonly content: Import['content']
  readonly batches: AsyncGenerator<Batch>
  /** Finds what the content of an import is known by. @throws UsageError where the file is damaged or changes */
  readonly digest: () => Promise<string>
}

/** How a file is read, batch by batch. */
export interface BatchSource {
  /** The rows of every batch but the last. */
  readonly batchRows: number
  /** @throws UsageError where the format is not known, or the file is damaged or changes */
  readonly open: (file: ImportFile, tally: Tally, signal: AbortSignal) => Promise<OpenedFile>
}

/**
 * Files of access points, of a format or of the one that they are found to have. Read as something else than it is found to be, a
 * file has another content.
 */
export function accessPointSource(format: Format | undefined): BatchSource {
  return {
    batchRows: BATCH_ROWS,
    open: async (file, tally, signal) => {
      const { content, pieces, isFound } = await readRows(file, tally, { signal, format })
      const digest = async () => {
        const unpacked = await unpackedDigest(file, signal)
        return isFound
          ? unpacked
          : createHash('sha256')
              .update(`${String(format)} ${unpacked}`)
              .digest('hex')
      }
      return { content, batches: cutBatches(pieces), digest }
    },
  }
}

/** SHA-256 over a file without its packing: packed or not it is the same file. */
export async function unpackedDigest(file: ImportFile, signal: AbortSignal): Promise<string> {
  if (!file.gzipped) return file.digest
  const hash = createHash('sha256')
  for await (const bytes of readBytes(file, signal, () => undefined)) hash.update(bytes)
  return hash.digest('hex')
}
