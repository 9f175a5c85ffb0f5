import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readAccessPoints, type ReadRecord } from '@bearing/files/access-points/read-access-points'
import { openFormat, OPENING_LENGTH, type Format, type Opened } from '@bearing/files/access-points/formats'
import type { ReadRow, RowReader } from '@bearing/files/access-points/check-row'
import type { SkipReason } from '@bearing/files/access-points/skipped'
import { UsageError } from '../../ground/usage-error.js'
import type { Tally } from '../tally.js'
import { rereadBytes, type ImportFile } from './import-file.js'

/** Counts the rows of a file. */
export type RowTally = Tally<SkipReason>

/** The rows of a file: of one kind, in pieces. */
export interface FileRows {
  readonly content: RowReader['content']
  readonly pieces: AsyncIterable<ReadRow[]>
  /** True if the format was detected, and not only given. */
  readonly isFound: boolean
}

/** Options of reading a file. */
export interface Reader {
  readonly signal: AbortSignal
  /** Format of the file (default: detected). */
  readonly format?: Format | undefined
}

/**
 * Reads the rows of a file, however large, in constant memory.
 *
 * @param tally kept up to date while the rows are read
 * @throws UsageError if the format is unknown, or the file is damaged or changes
 */
export async function readRows(file: ImportFile, tally: RowTally, how: Reader): Promise<FileRows> {
  const { opened, chunks } = await openRecords(file, tally, how)
  return {
    content: opened.reader.content,
    pieces: read(readAccessPoints(opened, chunks, file.name), tally),
    isFound: opened.isFound,
  }
}

/**
 * Detects the format of a file.
 *
 * @returns its reader, and its bytes from the start
 * @throws as {@link readRows}
 */
export async function openRecords(
  file: ImportFile,
  tally: { bytes: number },
  { signal, format }: Reader,
): Promise<{ readonly opened: Opened; readonly chunks: AsyncIterable<Uint8Array> }> {
  const { opening, chunks } = await openText(file, tally, signal)
  const opened = openFormat(opening, format)
  if (!opened) throw notUnderstood(file, format)
  return { opened, chunks }
}

/**
 * Opens a file as text.
 *
 * @returns its start as text, and all of its bytes
 * @throws UsageError if it is not text, is damaged or changes
 */
export async function openText(
  file: ImportFile,
  tally: { bytes: number },
  signal: AbortSignal,
): Promise<{ readonly opening: string; readonly chunks: AsyncIterable<Uint8Array> }> {
  const bytes = readBytes(file, signal, (length) => (tally.bytes += length))
  const first: Buffer[] = []
  for (let length = 0; length < OPENING_LENGTH;) {
    const chunk = await bytes.next()
    if (chunk.done) break
    first.push(chunk.value)
    length += chunk.value.length
  }
  const start = Buffer.concat(first)
  if (/^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(start.toString('latin1', 0, 2)))
    throw new UsageError(`${file.name} is UTF-16.`, 'Convert it to UTF-8: iconv -f UTF-16 -t UTF-8.')
  if (/^PK(?:\u0003\u0004|\u0005\u0006)/.test(start.toString('latin1', 0, 4)))
    throw new UsageError(
      `${file.name} is a zip archive.`,
      'Extract it, and import the files in it (of a NeoStumbler export, wifis.csv).',
    )
  return {
    opening: new TextDecoder().decode(start.subarray(0, OPENING_LENGTH)),
    chunks: withStart(start, bytes),
  }
}

/**
 * Reads and decompresses a file.
 *
 * @param onBytes called with the size of each piece, before decompression
 * @throws UsageError if the file is damaged or changes
 */
export function readBytes(
  file: ImportFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const bytes = rereadBytes(file, signal, onBytes)
  return file.gzipped ? unpack(file, bytes) : bytes
}

async function* withStart(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield start
  yield* rest
}

async function* read(pieces: AsyncIterable<ReadRecord[]>, tally: RowTally): AsyncGenerator<ReadRow[]> {
  for await (const records of pieces) {
    const rows: ReadRow[] = []
    for (const { line, reading } of records) {
      const row = tally.count(reading, line)
      if (row) rows.push(row)
    }
    yield rows
  }
}

function notUnderstood(file: ImportFile, format: Format | undefined): UsageError {
  return new UsageError(
    `${file.name} is ${format ? `not a file of the format ${format}` : 'in an unknown format'}.`,
    'Use a WiGLE CSV export (with a header that has MAC, CurrentLatitude and CurrentLongitude), CSV with the columns bssid or mac, lat and lon, the wifis.csv of NeoStumbler, geosubmit JSON lines, or GeoJSON; plain or gzip.',
  )
}

async function* unpack(file: ImportFile, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 262_144 })
  const fed = pipeline(Readable.from(bytes, { objectMode: false }), gunzip)
  // The loop below throws the same error; here it would be an unhandled rejection.
  fed.catch(() => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer // no encoding was set
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_'))
      throw new UsageError(`${file.name} is damaged: its gzip data ends early or is invalid.`)
    throw error
  }
}
