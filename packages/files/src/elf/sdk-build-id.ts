import { Buffer } from 'node:buffer'
import {
  HEADER_BYTES,
  formatOf,
  full,
  half,
  tableOf,
  word,
  type Format,
  type ReadAt,
} from './gnu-build-id.js'

/** The variable that the firmware SDK's build script writes the id into: 20 bytes. */
const NAME = Buffer.from('g_memfault_sdk_derived_build_id\0', 'latin1')
const ID_BYTES = 20
/** Its content before the build script has run. */
const UNPATCHED = `01${'00'.repeat(ID_BYTES - 1)}`
const SHT_SYMTAB = 2
const PIECE = 128 * 1024
/** The most of the table of symbols, and of their names, that is read: 16 MiB each. */
const MAX_TABLE = 16 * 1024 * 1024
/** Places of that name, and symbols with it, that are examined. A real file has one; a hostile one has a million. */
const MAX_SYMBOLS = 16

/** Offsets of numbers in entries of the section and symbol tables (System V gABI, chapter 4). */
const LAYOUTS = {
  32: {
    section: { address: 12, offset: 16, size: 20, link: 24 },
    symbol: { value: 4, section: 14, bytes: 16 },
  },
  64: {
    section: { address: 16, offset: 24, size: 32, link: 40 },
    symbol: { value: 8, section: 6, bytes: 24 },
  },
} as const

interface Section {
  readonly type: number
  readonly link: number
  readonly address: number
  readonly offset: number
  readonly size: number
}

/**
 * Returns the build id that a firmware SDK has written into an ELF file, for toolchains without GNU build ids. Reads at most
 * 33 MiB, in pieces.
 *
 * @param size of the file in bytes
 * @returns hexadecimal, lower case; undefined if it is no ELF file or has no such id
 */
export async function readSdkBuildId(readAt: ReadAt, size: number): Promise<string | undefined> {
  const header = Buffer.from(await readAt(0, HEADER_BYTES))
  const format = formatOf(header)
  if (!format) return undefined
  const table = tableOf(header, format, 'sections')
  if (table.length === 0 || table.offset + table.length > size) return undefined
  const sections = sectionsOf(Buffer.from(await readAt(table.offset, table.length)), table.entrySize, format)
  const symbols = sections.find(({ type }) => type === SHT_SYMTAB)
  const names = symbols && sections[symbols.link]
  if (!names) return undefined
  const wanted = await offsetsOfName(readAt, names)
  if (wanted.size === 0) return undefined
  const { value, section, bytes } = LAYOUTS[format.bits].symbol
  let examined = 0
  for await (const { piece } of pieces(readAt, symbols, PIECE - (PIECE % bytes)))
    for (let at = 0; at + bytes <= piece.length; at += bytes) {
      if (!wanted.has(full(piece, at, format))) continue
      // Each costs a read from the storage.
      if (++examined > MAX_SYMBOLS) return undefined
      const inside = sections[half(piece, at + section, format)]
      const offset = inside && inside.offset + word(piece, at + value, format) - inside.address
      if (offset === undefined || !(offset > 0 && offset + ID_BYTES <= size)) continue
      const id = Buffer.from(await readAt(offset, ID_BYTES)).toString('hex')
      if (id !== UNPATCHED && /[^0]/.test(id)) return id
    }
  return undefined
}

function sectionsOf(entries: Buffer, entrySize: number, format: Format): Section[] {
  const { address, offset, size, link } = LAYOUTS[format.bits].section
  const sections: Section[] = []
  for (let at = 0; at + entrySize <= entries.length; at += entrySize)
    sections.push({
      type: full(entries, at + 4, format),
      link: full(entries, at + link, format),
      address: word(entries, at + address, format),
      offset: word(entries, at + offset, format),
      size: word(entries, at + size, format),
    })
  return sections
}

/** A name may be the end of a longer one, so all its places count. */
async function offsetsOfName(readAt: ReadAt, names: Section): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  let before = Buffer.alloc(0)
  for await (const { piece, at } of pieces(readAt, names, PIECE)) {
    const joined = Buffer.concat([before, piece])
    const start = at - before.length
    for (let i = joined.indexOf(NAME); i >= 0 && found.size < MAX_SYMBOLS; i = joined.indexOf(NAME, i + 1))
      found.add(start + i)
    before = joined.subarray(-NAME.length + 1)
  }
  return found
}

async function* pieces(
  readAt: ReadAt,
  { offset, size }: Section,
  length: number,
): AsyncGenerator<{ piece: Buffer<ArrayBuffer>; at: number }> {
  const end = Math.min(size, MAX_TABLE)
  if (!Number.isSafeInteger(offset)) return
  for (let at = 0; at < end; at += length) {
    const piece = Buffer.from(await readAt(offset + at, Math.min(length, end - at)))
    if (piece.length === 0) return
    yield { piece, at }
  }
}
