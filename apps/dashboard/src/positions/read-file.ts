import { openFormat, OPENING_LENGTH, type Opened } from '@bearing/files/access-points/formats'
import type { ReadRow } from '@bearing/files/access-points/check-row'
import { readAccessPoints } from '@bearing/files/access-points/read-access-points'
import type { SkipReason } from '@bearing/files/access-points/skipped'
import { UnusableFileError } from '@bearing/files/unusable-file-error'

/** The largest file that a page reads: its digest needs all of it in memory. The command line has no limit. */
export const MOST_BYTES = 256 * 1_048_576
/** Bytes that are read at a time. */
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
 * @throws UnusableFileError with a sentence for the user
 */
export async function openFile(file: File): Promise<OpenFile> {
  if (file.size > MOST_BYTES)
    throw new UnusableFileError(`${file.name} is larger than 256 MiB. Import it on the command line.`)
  const bytes = await unpacked(file)
  if (bytes.length === 0) throw new UnusableFileError(`${file.name} is empty.`)
  const opening = new TextDecoder().decode(bytes.subarray(0, OPENING_LENGTH))
  if (/^PK[\u0003\u0005]/.test(opening))
    throw new UnusableFileError(`${file.name} is a zip archive. Extract it, and import the files in it.`)
  const opened = openFormat(opening)
  if (!opened)
    throw new UnusableFileError(
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
    throw new UnusableFileError(`${file.name} is damaged: its gzip data ends early or is invalid.`)
  }
  if (length > MOST_BYTES)
    throw new UnusableFileError(
      `${file.name} is larger than 256 MiB without compression. Import it on the command line.`,
    )
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/**
 * Reads the rows of a file, in pieces, and lets the page have its turn in between.
 *
 * @param onRead called with the bytes that were read so far
 * @param onSkipped called for each row that is not imported
 * @throws UnusableFileError if the file is damaged; the signal's reason if it was aborted
 */
export async function* readRows(
  { bytes, opened, name }: OpenFile,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
  onSkipped: (row: SkippedRow) => void,
): AsyncGenerator<ReadRow[]> {
  for await (const records of readAccessPoints(opened, pieces(bytes, signal, onRead), name)) {
    const rows: ReadRow[] = []
    for (const { line, reading } of records)
      if (typeof reading === 'string') onSkipped({ line, reason: reading })
      else if (reading) rows.push(reading)
    yield rows
  }
}

async function* pieces(
  bytes: Uint8Array,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let turnEnds = performance.now() + SLICE_MS
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (performance.now() > turnEnds) {
      onRead(at)
      await new Promise((resolve) => setTimeout(resolve))
      turnEnds = performance.now() + SLICE_MS
    }
    signal.throwIfAborted()
    yield bytes.subarray(at, at + PIECE_BYTES)
  }
  onRead(bytes.length)
}
