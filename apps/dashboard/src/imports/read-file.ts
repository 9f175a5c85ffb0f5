import { cutRecords } from '@bearing/client/access-point-files/cut-records'
import { openFormat, OPENING_LENGTH, type Opened } from '@bearing/client/access-point-files/formats'
import type { Reading, ReadRow } from '@bearing/client/access-point-files/row-reader'
import type { SkipReason } from '@bearing/client/access-point-files/skipped'
import { UnusableInputError } from '@bearing/client/errors'

/** The largest file that a page reads: its digest needs all of it in memory. The command line has no limit. */
export const MOST_BYTES = 256 * 1_048_576
/** Bytes that are decoded at a time. */
const PIECE_BYTES = 32_768
/** After so many milliseconds the page gets its turn. */
const SLICE_MS = 12

/** A file that can be read again and again. */
export interface OpenFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly opened: Opened
  /** SHA-256 of the uncompressed bytes: the same that the command line sends. */
  readonly digest: string
}

/** A row that is not imported, and why. */
export interface SkippedRow {
  /** From 1: the line, or the record if the format is one JSON document. */
  readonly line: number
  readonly reason: SkipReason
}

/**
 * Opens a file of access points.
 *
 * @throws UnusableInputError with a sentence for the user
 */
export async function openFile(file: File): Promise<OpenFile> {
  if (file.size > MOST_BYTES)
    throw new UnusableInputError(`${file.name} is larger than 256 MiB. Import it on the command line.`)
  const bytes = await unpacked(file)
  if (bytes.length === 0) throw new UnusableInputError(`${file.name} is empty.`)
  const opening = latin1(withoutMark(bytes).subarray(0, OPENING_LENGTH))
  if (/^PK[\u0003\u0005]/.test(opening))
    throw new UnusableInputError(`${file.name} is a zip archive. Extract it, and import the files in it.`)
  const opened = openFormat(opening.split(/\r?\n/, 100))
  if (!opened)
    throw new UnusableInputError(
      `${file.name} is in an unknown format. Use a WiGLE CSV export, CSV with the columns bssid (or mac), lat and lon, wifis.csv of NeoStumbler, geosubmit JSON lines, or GeoJSON; plain or gzip.`,
    )
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  const digest = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { name: file.name, bytes, opened, digest }
}

async function unpacked(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (start[0] !== 0x1f || start[1] !== 0x8b) return new Uint8Array(await file.arrayBuffer())
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value)
      length += next.value.length
      if (length > MOST_BYTES) break
    }
  } catch {
    throw new UnusableInputError(`${file.name} is damaged: its gzip data ends early or is invalid.`)
  }
  if (length > MOST_BYTES)
    throw new UnusableInputError(
      `${file.name} is larger than 256 MiB without compression. Import it on the command line.`,
    )
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/**
 * Reads the rows of a file, in pieces, and lets the page have its turn in between.
 *
 * @param onRead called with the bytes that were read so far
 * @param onSkipped called for each row that is not imported
 * @throws UnusableInputError if the file is damaged; the signal's reason if it was aborted
 */
export async function* readRows(
  { bytes, opened, name }: OpenFile,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
  onSkipped: (row: SkippedRow) => void,
): AsyncGenerator<ReadRow[]> {
  const { reader, headerLines } = opened
  let line = 0
  for await (const records of cutRecords(opened, pieces(bytes, signal, onRead), name)) {
    const rows: ReadRow[] = []
    const keep = (reading: Reading) => {
      if (typeof reading === 'string') onSkipped({ line, reason: reading })
      else if (reading) rows.push(reading)
    }
    for (const record of records) {
      line++
      if (line <= headerLines) continue
      if ('read' in reader) keep(reader.read(record))
      else for (const reading of reader.readAll(record)) keep(reading)
    }
    yield rows
  }
}

async function* pieces(
  bytes: Uint8Array,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const text = withoutMark(bytes)
  let turnEnds = performance.now() + SLICE_MS
  for (let at = 0; at < text.length; at += PIECE_BYTES) {
    if (performance.now() > turnEnds) {
      onRead(at)
      await new Promise((resolve) => setTimeout(resolve))
      turnEnds = performance.now() + SLICE_MS
    }
    signal.throwIfAborted()
    yield latin1(text.subarray(at, at + PIECE_BYTES))
  }
  onRead(bytes.length)
}

/** ISO 8859-1, as the readers want it; the decoder of browsers with this name has other characters. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))
  return text
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
