import { createHash } from 'node:crypto'
import { BATCH_ROWS, cutBatches, type Batch } from '@bearing/files/access-points/cut-batches'
import type { Format } from '@bearing/files/access-points/formats'
import type { ImportFile } from './import-file.js'
import type { Import } from './import-target.js'
import { readBytes, readRows, type RowTally } from './read-rows.js'

export interface OpenedFile {
  readonly content: Import['content']
  readonly batches: AsyncGenerator<Batch>
  /** Returns the digest that identifies the content. @throws UsageError if the file is damaged or changes */
  readonly digest: () => Promise<string>
}

/** Reads a file in batches. */
export interface BatchSource {
  /** Rows of every batch except the last. */
  readonly batchRows: number
  /** @throws UsageError if the format is unknown, or the file is damaged or changes */
  readonly open: (file: ImportFile, tally: RowTally, signal: AbortSignal) => Promise<OpenedFile>
}

/**
 * Reads files of access points, in a given or the detected format. The digest of a file contains a format that is not the
 * detected one.
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
      return { content, batches: cutBatches(pieces, toBase64), digest }
    },
  }
}

function toBase64(bytes: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(bytes.buffer, 0, bytes.byteLength).toString('base64')
}

/** SHA-256 of the uncompressed file, so that compression does not matter. */
export async function unpackedDigest(file: ImportFile, signal: AbortSignal): Promise<string> {
  if (!file.gzipped) return file.digest
  const hash = createHash('sha256')
  for await (const bytes of readBytes(file, signal, () => undefined)) hash.update(bytes)
  return hash.digest('hex')
}
