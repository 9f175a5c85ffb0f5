import { createReadStream } from 'node:fs'
import { readDevices, type DeviceLine } from '@bearing/files/devices/read-devices'
import { UsageError } from '../usage-error.js'

/** Bytes that are read at a time. */
const PIECE_BYTES = 65_536

export interface CsvRow extends DeviceLine {
  /** Bytes of the file that were read, about. */
  readonly bytes: number
}

/**
 * Reads a CSV file of devices row by row.
 *
 * @param stdin read if the path is "-"
 * @param check verifies the columns before the first row
 * @throws UsageError if the file cannot be read; UnusableFileError if it has no header
 */
export async function* readCsv(
  path: string,
  stdin: NodeJS.ReadableStream,
  check: (columns: readonly string[]) => void,
): AsyncGenerator<CsvRow> {
  const progress = { bytes: 0 }
  const name = path === '-' ? 'Standard input' : path
  for await (const row of readDevices(bytesOf(path, stdin, progress), name, check))
    yield { ...row, bytes: progress.bytes }
}

async function* bytesOf(
  path: string,
  stdin: NodeJS.ReadableStream,
  progress: { bytes: number },
): AsyncGenerator<Buffer> {
  const input = path === '-' ? stdin : createReadStream(path, { highWaterMark: PIECE_BYTES })
  try {
    for await (const piece of input as AsyncIterable<Buffer>) {
      progress.bytes += piece.length
      yield piece
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what streams throw
    if (code === undefined) throw error
    throw new UsageError(`${path} cannot be read (${code}).`)
  }
}
