import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../usage-error.js'
import { rereadBytes, type ImportFile } from './import-file.js'
import { positionsReader } from './positions.js'
import { readLines } from './read-lines.js'
import type { ReadRow, RowReader } from './row-reader.js'
import { SKIP_REASONS, type SkipReason } from './skipped.js'
import { isWigleHeader, wigleReader } from './wigle.js'

/** How far a file has been read, and what became of its rows. */
export class Tally {
  bytes = 0
  rows = 0
  readonly skipped: Record<SkipReason, number>

  constructor() {
    // The keys of SKIP_REASONS are the reasons; Object.fromEntries forgets that.
    this.skipped = Object.fromEntries(
      Object.keys(SKIP_REASONS).map((reason) => [reason, 0]),
    ) as Tally['skipped']
  }
}

/** The rows of a file: of one kind, in pieces. */
export interface FileRows {
  readonly content: RowReader['content']
  readonly pieces: AsyncIterable<ReadRow[]>
}

/**
 * Reads the rows of a file, however large, in constant memory.
 *
 * @param tally kept up to date while the rows are read
 * @throws UsageError where the format is not known, or the file is damaged or changes
 */
export async function readRows(file: ImportFile, tally: Tally, signal: AbortSignal): Promise<FileRows> {
  const bytes = rereadBytes(file, signal, (length) => (tally.bytes += length))
  const lines = readLines(file.gzipped ? unpack(file, bytes) : bytes)
  const opening: string[] = []
  while (opening.filter((line) => line !== '').length < 2) {
    const piece = await lines.next()
    if (piece.done) break
    opening.push(...piece.value)
  }
  const { reader, rest } = detect(file, opening)
  return { content: reader.content, pieces: read(reader, rest, lines, tally) }
}

async function* read(
  reader: RowReader,
  opening: readonly string[],
  lines: AsyncIterable<string[]>,
  tally: Tally,
): AsyncGenerator<ReadRow[]> {
  const take = (piece: readonly string[]): ReadRow[] => {
    const rows: ReadRow[] = []
    for (const line of piece) {
      const reading = reader.read(line)
      if (reading === undefined) continue
      tally.rows++
      if (typeof reading === 'string') tally.skipped[reading]++
      else rows.push(reading)
    }
    return rows
  }
  yield take(opening)
  for await (const piece of lines) yield take(piece)
}

function detect(
  file: ImportFile,
  opening: readonly string[],
): { reader: RowReader; rest: readonly string[] } {
  const start = opening.findIndex((line) => line !== '')
  const [first = '', second = ''] = opening.slice(Math.max(0, start)).filter((line) => line !== '')
  const wigle = isWigleHeader(first)
  const reader = wigle ? wigleReader(second) : positionsReader(first)
  if (reader) return { reader, rest: opening.slice(opening.indexOf(wigle ? second : first) + 1) }
  throw new UsageError(
    `${file.name} is in a format that is not understood.`,
    'Understood are a WiGLE CSV export (first line "WigleWifi-1.4…" or later, then the names of the columns, with MAC, CurrentLatitude and CurrentLongitude) and CSV whose header has the columns bssid, lat and lon; both plain or gzipped.',
  )
}

async function* unpack(file: ImportFile, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 262_144 })
  const fed = pipeline(Readable.from(bytes, { objectMode: false }), gunzip)
  // The same error comes out of the loop below; here it would only be an unhandled rejection.
  fed.catch(() => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer // no encoding was set
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_'))
      throw new UsageError(`${file.name} is damaged: its gzip data ends early or is not valid.`)
    throw error
  }
}
