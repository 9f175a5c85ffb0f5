import { createReadStream } from 'node:fs'
import { NO_RECORD } from '../access-points/cut-members.js'
import { readLines } from '../access-points/read-lines.js'
import { splitRow } from '../access-points/split-row.js'
import { UsageError } from '../usage-error.js'
import { readCell } from './csv-cells.js'

/** Longer rows are in no file of devices. */
const MAX_ROW_LENGTH = 65_536
/** Smaller than a line may be (see `readLines`). */
const PIECE_BYTES = 65_536

export interface CsvRow {
  /** Its line in the file, from 1. */
  readonly line: number
  /** Bytes of the file that were read, about. */
  readonly bytes: number
  /** By column; undefined if the row is malformed. */
  readonly cells: ReadonlyMap<string, string> | undefined
  readonly fault?: string
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
        yield { line, bytes: progress.bytes, ...readRow(text, columns) }
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

function readRow(text: string, columns: readonly string[]): Pick<CsvRow, 'cells' | 'fault'> {
  const malformed = (fault: string) => ({ cells: undefined, fault })
  if (text === NO_RECORD || text.length > MAX_ROW_LENGTH)
    return malformed(`is longer than ${String(MAX_ROW_LENGTH)} characters`)
  if (text.includes('\ufffd')) return malformed('is not UTF-8')
  const cells = splitRow(text)
  if (!cells) return malformed('has unbalanced quotes')
  if (cells.length !== columns.length)
    return malformed(`has ${String(cells.length)} cells, and the header has ${String(columns.length)}`)
  return { cells: new Map(columns.map((name, index) => [name, readCell(cells[index] ?? '')])) }
}
