import { Buffer } from 'node:buffer'

/** Reads bytes of a file: at most `length` from `offset` on, fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>

/** The longest table of segments or sections that is read, in bytes. Linkers make some hundred entries. */
const MAX_TABLE = 1024 * 1024
/** The longest note that is read, in bytes, and how many of them. */
const MAX_NOTES_BYTES = 64 * 1024
const MAX_NOTES = 64
/** Maximum length of the header of an ELF file, in bytes. */
export const HEADER_BYTES = 64
/** Tables that are searched for notes, in this order. */
export const TABLES = ['segments', 'sections'] as const
const PT_NOTE = 4
const SHT_NOTE = 7
const NT_GNU_BUILD_ID = 3

/** Offsets of numbers in the structures of ELF (System V gABI, chapters 4 and 5), for 32 and 64 bits. */
const LAYOUTS = {
  32: {
    segments: 28,
    sections: 32,
    counts: 42,
    entry: { segment: [4, 16], section: [16, 20] },
    sizes: [32, 40],
  },
  64: {
    segments: 32,
    sections: 40,
    counts: 54,
    entry: { segment: [8, 32], section: [24, 32] },
    sizes: [56, 64],
  },
} as const

/** Word size and byte order of a file. */
export interface Format {
  readonly bits: 32 | 64
  readonly littleEndian: boolean
}

/** A piece of a file. */
export interface Extent {
  readonly offset: number
  readonly length: number
}

/**
 * The GNU build id of an ELF file: from its segments of notes, and where it has none, as in files of debug information alone,
 * from its sections. Reads a few kilobytes, wherever they are; a hostile file makes it read 2 MiB for the tables and 4 MiB of notes
 * and not more.
 *
 * @param size of the file in bytes
 * @returns hexadecimal, lower case; undefined where it is no ELF file or has no build id
 */
export async function readGnuBuildId(readAt: ReadAt, size: number): Promise<string | undefined> {
  const header = Buffer.from(await readAt(0, HEADER_BYTES))
  const format = formatOf(header)
  if (!format) return undefined
  for (const table of TABLES) {
    const extents = await noteExtents(header, format, table, readAt, size)
    for (const { offset, length } of extents) {
      const notes = Buffer.from(await readAt(offset, length))
      const id = buildIdIn(notes, format)
      if (id !== undefined) return id
    }
  }
  return undefined
}

/** Returns how the numbers of a file are read; undefined if it is no ELF file. @param header its first {@link HEADER_BYTES} */
export function formatOf(header: Buffer): Format | undefined {
  if (header.length < 52 || header.readUInt32BE(0) !== 0x7f454c46) return undefined
  const bits = header[4] === 1 ? 32 : header[4] === 2 ? 64 : undefined
  if (bits === undefined || (header[5] !== 1 && header[5] !== 2)) return undefined
  if (bits === 64 && header.length < 64) return undefined
  return { bits, littleEndian: header[5] === 1 }
}

/** Returns where a table is, without looking whether the file is that long; a length of 0 if it has none. */
export function tableOf(
  header: Buffer,
  format: Format,
  table: (typeof TABLES)[number],
): Extent & { readonly entrySize: number } {
  const layout = LAYOUTS[format.bits]
  const counts = layout.counts + (table === 'segments' ? 0 : 4)
  const entrySize = half(header, counts, format)
  const count = half(header, counts + 2, format)
  const offset = word(header, layout[table], format)
  const exists =
    entrySize >= layout.sizes[table === 'segments' ? 0 : 1] && within(offset, 1, Number.MAX_SAFE_INTEGER)
  return { offset, length: exists ? Math.min(entrySize * count, MAX_TABLE) : 0, entrySize }
}

/** Returns where the notes of a table are. */
export async function noteExtents(
  header: Buffer,
  format: Format,
  table: (typeof TABLES)[number],
  readAt: ReadAt,
  size: number,
): Promise<Extent[]> {
  const layout = LAYOUTS[format.bits]
  const { offset, length: tableBytes, entrySize } = tableOf(header, format, table)
  const kind = table === 'segments' ? 'segment' : 'section'
  if (tableBytes === 0 || !within(offset, 1, size)) return []
  const entries = Buffer.from(await readAt(offset, tableBytes))
  const extents: Extent[] = []
  for (let at = 0; at + entrySize <= entries.length && extents.length < MAX_NOTES / 2; at += entrySize) {
    const entry = entries.subarray(at, at + entrySize)
    const type = full(entry, kind === 'segment' ? 0 : 4, format)
    if (type !== (kind === 'segment' ? PT_NOTE : SHT_NOTE)) continue
    const [start, length] = layout.entry[kind]
    const extent = { offset: word(entry, start, format), length: word(entry, length, format) }
    if (within(extent.offset, extent.length, size))
      extents.push({ ...extent, length: Math.min(extent.length, MAX_NOTES_BYTES) })
  }
  return extents
}

/**
 * Returns the build id among notes.
 *
 * @param firstOnly whether only the first note counts
 */
export function buildIdIn(notes: Buffer, format: Format, firstOnly = false): string | undefined {
  for (let at = 0; at + 12 <= notes.length;) {
    const nameLength = full(notes, at, format)
    const length = full(notes, at + 4, format)
    const name = at + 12
    const description = name + aligned(nameLength)
    const end = description + length
    if (end > notes.length) return undefined
    if (
      full(notes, at + 8, format) === NT_GNU_BUILD_ID &&
      notes.toString('latin1', name, name + nameLength) === 'GNU\0' &&
      length >= 2 &&
      length <= 64
    )
      return notes.toString('hex', description, end)
    if (firstOnly) return undefined
    at = description + aligned(length)
  }
  return undefined
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4
}

function within(offset: number, length: number, size: number): boolean {
  return (
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    offset > 0 &&
    length > 0 &&
    offset + length <= size
  )
}

/** Reads 16 bits. */
export function half(bytes: Buffer, at: number, { littleEndian }: Format): number {
  return littleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
}

/** Reads 32 bits. */
export function full(bytes: Buffer, at: number, { littleEndian }: Format): number {
  return littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
}

/** An address or offset: as wide as the file's. A value that is too large for a number is no offset of any file. */
export function word(bytes: Buffer, at: number, format: Format): number {
  if (format.bits === 32) return full(bytes, at, format)
  return Number(format.littleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
}
