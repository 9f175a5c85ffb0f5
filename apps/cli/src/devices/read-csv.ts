import { createReadStream } from 'node:fs'
import { NO_RECORD } from '@bearing/client/access-point-files/cut-members'
import { readLines } from '@bearing/client/access-point-files/read-lines'
import { splitRow } from '@bearing/contracts/csv-row'
import { MAX_ROW_LENGTH, readDeviceRow, type DeviceRow } from '@bearing/contracts/management/device-csv'
import { UsageError } from '../usage-error.js'

/** Smaller than a line may be (see `readLines`). */
const PIECE_BYTES = 65_536

export interface CsvRow {
  /** Its line in the file, from 1. */
  readonly line: number
  /** Bytes of the file that were read, about. */
  readonly bytes: number
  readonly row: DeviceRow
}

/**
 * Reads a CSV file row by row. A row is one line; empty lines are skipped.
 *
 * @param stdin read if the path is "-"
 * @param check verifies the columns before the first row
 * @throws UsageError if the file cannot be read or has no header
 */
export async function* readCsv(
  path: string,
  stdin: NodeJS.ReadableStream,
  check: (columns: readonly string[]) => void,
): AsyncGenerator<CsvRow> {
  const progress = { bytes: 0 }
  let columns: string[] | undefined
  let line = 0
  for await (const lines of readLines(decode(path, stdin, progress)))
    for (const text of lines) {
      line++
      if (text.trim() === '') continue
      if (columns) {
        yield { line, bytes: progress.bytes, row: readRow(text, columns) }
        continue
      }
      columns = splitRow(text)?.map((name) => name.trim())
      if (!columns || text === NO_RECORD) throw new UsageError(`Line ${String(line)} is no header.`)
      check(columns)
    }
  if (!columns) throw new UsageError(`${path === '-' ? 'Standard input' : path} has no header.`)
}

async function* decode(
  path: string,
  stdin: NodeJS.ReadableStream,
  progress: { bytes: number },
): AsyncGenerator<string> {
  const input = path === '-' ? stdin : createReadStream(path, { highWaterMark: PIECE_BYTES })
  // Skips a byte order mark.
  const decoder = new TextDecoder()
  try {
    for await (const piece of input as AsyncIterable<Buffer>) {
      progress.bytes += piece.length
      yield decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what streams throw
    if (code === undefined) throw error
    throw new UsageError(`${path} cannot be read (${code}).`)
  }
  yield decoder.decode()
}

function readRow(text: string, columns: readonly string[]): DeviceRow {
  return text === NO_RECORD
    ? `is longer than ${String(MAX_ROW_LENGTH)} characters`
    : readDeviceRow(text, columns)
}
