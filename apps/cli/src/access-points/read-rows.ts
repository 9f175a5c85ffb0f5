import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PlacedCell } from '@bearing/contracts/location/packed-cells'
import { UsageError } from '../usage-error.js'
import { cutRecords } from '@bearing/client/access-point-files/cut-records'
import {
  openFormat,
  OPENING_LENGTH,
  type Format,
  type Opened,
} from '@bearing/client/access-point-files/formats'
import { rereadBytes, type ImportFile } from './import-file.js'
import { readPieces } from './read-pieces.js'
import type { Reading, ReadRow, RowReader } from '@bearing/client/access-point-files/row-reader'
import { SKIP_REASONS, type SkipReason } from '@bearing/client/access-point-files/skipped'

/** Counts the bytes read of a file, and its rows. */
export class Tally {
  bytes = 0
  rows = 0
  readonly skipped: Record<SkipReason, number>

  constructor() {
    // The keys of SKIP_REASONS are the reasons; Object.fromEntries widens them.
    this.skipped = Object.fromEntries(
      Object.keys(SKIP_REASONS).map((reason) => [reason, 0]),
    ) as Tally['skipped']
  }

  /** Counts a row. @returns the row to send, if any */
  count<Row extends ReadRow | PlacedCell>(reading: Row | SkipReason | undefined): Row | undefined {
    if (reading === undefined) return undefined
    this.rows++
    if (typeof reading !== 'string') return reading
    this.skipped[reading]++
    return undefined
  }
}

/** The rows of a file: of one kind, in pieces. */
export interface FileRows {
  readonly content: RowReader['content']
  readonly pieces: AsyncIterable<ReadRow[]>
  /** Whether the format was detected, or only given. */
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
export async function readRows(
  file: ImportFile,
  tally: Tally,
  { signal, format }: Reader,
): Promise<FileRows> {
  const { opened, pieces } = await openPieces(file, tally, { signal, format })
  const { reader, isFound } = opened
  return {
    content: reader.content,
    pieces: read(opened, cutRecords(opened, pieces, file.name), tally),
    isFound,
  }
}

/**
 * Detects the format of a file.
 *
 * @returns its reader, and its text from the start
 * @throws as {@link readRows}
 */
export async function openPieces(
  file: ImportFile,
  tally: { bytes: number },
  { signal, format }: Reader,
): Promise<{ readonly opened: Opened; readonly pieces: AsyncIterable<string> }> {
  const { opening, pieces } = await openText(file, tally, signal)
  const opened = openFormat(opening.split(/\r?\n/, 100), format)
  if (!opened) throw notUnderstood(file, format)
  return { opened, pieces }
}

/**
 * Opens a file as text.
 *
 * @returns its first lines, and all of its text
 * @throws UsageError if it is not text, is damaged or changes
 */
export async function openText(
  file: ImportFile,
  tally: { bytes: number },
  signal: AbortSignal,
): Promise<{ readonly opening: string; readonly pieces: AsyncIterable<string> }> {
  const pieces = readPieces(readBytes(file, signal, (length) => (tally.bytes += length)))
  let opening = ''
  while (opening.length < OPENING_LENGTH) {
    const piece = await pieces.next()
    if (piece.done) break
    opening += piece.value
  }
  if (/^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(opening))
    throw new UsageError(`${file.name} is UTF-16.`, 'Convert it to UTF-8: iconv -f UTF-16 -t UTF-8.')
  if (/^PK(?:\u0003\u0004|\u0005\u0006)/.test(opening))
    throw new UsageError(
      `${file.name} is a zip archive.`,
      'Extract it, and import the files in it (of a NeoStumbler export, wifis.csv).',
    )
  return { opening, pieces: withOpening(opening, pieces) }
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

async function* withOpening(opening: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield opening
  yield* rest
}

async function* read(
  { reader, headerLines }: Opened,
  pieces: AsyncIterable<string[]>,
  tally: Tally,
): AsyncGenerator<ReadRow[]> {
  let header = headerLines
  for await (const records of pieces) {
    const rows: ReadRow[] = []
    const keep = (reading: Reading) => {
      const row = tally.count(reading)
      if (row) rows.push(row)
    }
    for (const record of header > 0 ? records.slice(header) : records)
      if ('read' in reader) keep(reader.read(record))
      else for (const reading of reader.readAll(record)) keep(reading)
    header = Math.max(0, header - records.length)
    yield rows
  }
}

function notUnderstood(file: ImportFile, format: Format | undefined): UsageError {
  return new UsageError(
    `${file.name} is ${format ? `not a file of the format ${format}` : 'in an unknown format'}.`,
    'Use a WiGLE CSV export (first line "WigleWifi-1.4…" or later, then a header with MAC, CurrentLatitude and CurrentLongitude), CSV with the columns bssid or mac, lat and lon, the wifis.csv of NeoStumbler, geosubmit JSON lines, or GeoJSON; plain or gzip.',
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
