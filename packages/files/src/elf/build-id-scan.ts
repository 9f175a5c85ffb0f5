import { Buffer } from 'node:buffer'
import {
  HEADER_BYTES,
  buildIdIn,
  formatOf,
  noteExtents,
  tableOf,
  TABLES,
  type Extent,
  type Format,
  type ReadAt,
} from './gnu-build-id.js'

const NAME = Buffer.from('GNU\0', 'latin1')
/** Bytes of a note before its name. */
const BEFORE_NAME = 12
/** The longest note with a build id: header, name and 64 bytes. */
const LONGEST = BEFORE_NAME + NAME.length + 64
/** The most of one table that is kept, in bytes: 4,096 sections. */
const MAX_KEPT = 256 * 1024
/** Occurrences of the name that are examined: a hostile file has millions, a real one has a few. */
const MAX_NAMES = 65_536

/** A part of the file that is kept while the content passes. */
interface Kept extends Extent {
  readonly bytes: Buffer
}

/**
 * Finds the GNU build id of an ELF file whose content is seen once, from its beginning to its end, because it is compressed. Keeps the
 * two tables of the file, at most 512 KiB, and the notes that look like a build id.
 */
export class BuildIdScan {
  private header = Buffer.alloc(0)
  private format: Format | undefined
  private isSearching = true
  private size = 0
  private tables: Kept[] = []
  /** The end of what was seen: a note may continue in the next bytes. */
  private tail = Buffer.alloc(0)
  private names = 0
  private readonly notes = new Map<number, string>()

  /** Takes the next bytes of the content. */
  push(bytes: Buffer): void {
    const at = this.size
    this.size += bytes.length
    if (this.format) {
      this.examine(bytes, at)
      return
    }
    if (!this.isSearching) return
    this.header = Buffer.concat([this.header, bytes])
    if (this.header.length >= HEADER_BYTES) this.begin()
  }

  /**
   * Returns the build id after the last bytes.
   *
   * @returns hexadecimal, lower case; undefined if the content is no ELF file or has no build id
   */
  async id(): Promise<string | undefined> {
    if (!this.format) this.begin()
    const { format } = this
    if (!format) return undefined
    const readAt: ReadAt = (offset, length) => Promise.resolve(this.keptAt(offset, length))
    for (const table of TABLES) {
      for (const extent of await noteExtents(this.header, format, table, readAt, this.size)) {
        const offset = [...this.notes.keys()].find(
          (note) => note >= extent.offset && note < extent.offset + extent.length,
        )
        if (offset !== undefined) return this.notes.get(offset)
      }
    }
    return undefined
  }

  private begin(): void {
    const seen = this.header
    this.isSearching = false
    this.header = seen.subarray(0, HEADER_BYTES)
    this.format = formatOf(this.header)
    if (!this.format) return
    for (const table of TABLES) {
      const found = tableOf(this.header, this.format, table)
      const { offset, length } = { ...found, length: Math.min(found.length, MAX_KEPT) }
      if (length > 0) this.tables.push({ offset, length, bytes: Buffer.alloc(length) })
    }
    this.examine(seen, 0)
  }

  private examine(bytes: Buffer, at: number): void {
    for (const { offset, length, bytes: into } of this.tables) {
      const [from, to] = [Math.max(offset, at), Math.min(offset + length, at + bytes.length)]
      if (from < to) bytes.copy(into, from - offset, from - at, to - at)
    }
    const joined = Buffer.concat([this.tail, bytes])
    this.findNotes(joined, at - this.tail.length)
    this.tail = Buffer.from(joined.subarray(Math.max(0, joined.length - LONGEST)))
  }

  private findNotes(bytes: Buffer, at: number): void {
    const { format } = this
    if (!format) return
    for (let name = bytes.indexOf(NAME); name >= 0 && this.names < MAX_NAMES;) {
      this.names++
      const start = name - BEFORE_NAME
      const id = start < 0 ? undefined : buildIdIn(bytes.subarray(start, start + LONGEST), format, true)
      if (id !== undefined) this.notes.set(at + start, id)
      name = bytes.indexOf(NAME, name + 1)
    }
  }

  private keptAt(offset: number, length: number): Buffer {
    const kept = this.tables.find((table) => table.offset === offset)
    return kept ? kept.bytes.subarray(0, Math.min(length, Math.max(0, this.size - offset))) : Buffer.alloc(0)
  }
}
