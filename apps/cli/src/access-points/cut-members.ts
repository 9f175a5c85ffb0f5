import { UsageError } from '../usage-error.js'

/** What stands for a record that is none: no format takes it. */
export const NO_RECORD = '\u0000'

/** A longer record is cut off, so that no file fills the memory, and then it is no JSON any more. Features are far shorter. */
const MAX_LENGTHS = { features: 65_536, items: 1_048_576 } as const
/** The array of a document whose members are records. */
export type Members = keyof typeof MAX_LENGTHS

/** Why a text is not the JSON that it began as. */
type Fault = 'ends early' | 'has brackets that do not fit together'

/**
 * Cuts the members of the array `features` or `items` out of JSON documents that follow each other, without reading one as a
 * whole: collections of access points are larger than memory. A document that has no such array is a record itself.
 *
 * @param pieces the documents, as ISO 8859-1 (`readPieces`)
 * @param name what the user calls the file
 * @throws UsageError where a document ends early, or is none: nobody knows then what of it was cut off
 */
export async function* cutMembers(
  pieces: AsyncIterable<string>,
  members: Members,
  name: string,
): AsyncGenerator<string[]> {
  const cutter = new MemberCutter(members)
  for await (const piece of pieces) {
    const records = cutter.cut(piece)
    if (cutter.fault === undefined) yield records
    else break
  }
  cutter.end()
  if (cutter.endsWithOther) yield [NO_RECORD]
  if (cutter.fault !== undefined) throw new UsageError(`${name} is damaged: its JSON ${cutter.fault}.`)
}

/** What can end or nest a member, or hide such a thing. */
const MARKS = /["\\{}[\]]/g
/** What may stand between documents and between members; RFC 8142 begins each text with a separator. */
const FILLING = /^[\s,\u001e]*$/

/**
 * Cuts documents piece by piece, by counting brackets outside of strings; whether a record is JSON is for its reader to say.
 * What stands between records and is none is given as {@link NO_RECORD}, once.
 */
export class MemberCutter {
  fault: Fault | undefined
  private readonly maxLength: number
  private isInString = false
  /** Whether the piece before ended with a backslash. */
  private skipsNext = false
  private depth = 0
  /** How deep brackets are between records: 0 between documents, 2 in the array. */
  private between = 0
  /** Whether the array of the document was there: the document is no record then. */
  private hadMembers = false
  /** Whether something was found between two records that should not be there. */
  private foundOther = false
  /** What was read of the record that is not complete. */
  private rest = ''
  /** The string that was read last in the outermost object, which is the key of what follows; undefined within a longer one. */
  private key: string | undefined = ''

  constructor(private readonly members: Members) {
    this.maxLength = MAX_LENGTHS[members]
  }

  /** @returns the records that end in this piece */
  cut(piece: string): string[] {
    const records: string[] = []
    if (this.fault !== undefined) return records
    /** Where the record, what stands between two of them, or a string begins of which nothing was kept yet. */
    let start = 0
    let keyStart = 0
    MARKS.lastIndex = this.skipsNext ? 1 : 0
    this.skipsNext = false
    for (let found = MARKS.exec(piece); found; found = MARKS.exec(piece)) {
      const [mark] = found
      const { index } = found
      if (this.isInString) {
        if (mark === '"') {
          this.isInString = false
          if (this.depth === 1) this.keepKey(piece.slice(keyStart, index))
        } else if (mark === '\\') {
          this.skipsNext = index + 1 === piece.length
          MARKS.lastIndex++
        }
      } else if (mark === '"') {
        this.isInString = true
        this.key = ''
        keyStart = index + 1
        if (this.depth === this.between) this.foundOther = true
      } else if (mark === '{' || mark === '[') {
        if (this.depth === this.between) {
          this.takeBetween(piece.slice(start, index), records)
          start = index
        }
        this.depth++
        if (mark === '[' && this.depth === 2 && this.between === 0 && this.key === this.members) {
          // What was kept of the document is no record, its members are.
          this.between = 2
          this.hadMembers = true
          this.rest = ''
          start = index + 1
        }
      } else if (mark !== '\\') {
        const next = this.close(mark, piece, { start, end: index + 1 }, records)
        if (next === undefined) return records
        start = next
      } else this.foundOther ||= this.depth === this.between
    }
    this.keepRest(piece, start, keyStart)
    return records
  }

  /** Says that there is no more. */
  end(): void {
    if (this.depth > 0 || this.isInString) this.fault ??= 'ends early'
  }

  /** Whether something was found behind the last record that is none. */
  get endsWithOther(): boolean {
    return this.foundOther
  }

  /** @returns where what comes behind the bracket begins, or what goes on; undefined where it does not fit */
  private close(
    mark: string,
    piece: string,
    { start, end }: { readonly start: number; readonly end: number },
    records: string[],
  ): number | undefined {
    this.depth--
    if (this.depth < 0 || (this.depth < this.between && mark !== ']')) {
      this.fault = 'has brackets that do not fit together'
      return undefined
    }
    if (this.depth < this.between) {
      // The end of the array. What comes behind it in the document is no record.
      this.takeBetween(piece.slice(start, end - 1), records)
      this.between = 0
      return end
    }
    if (this.depth > this.between) return start
    if (this.depth === 0 && this.hadMembers) this.hadMembers = false
    else records.push((this.rest + piece.slice(start, end)).slice(0, this.maxLength))
    this.rest = ''
    return end
  }

  private takeBetween(text: string, records: string[]): void {
    if (this.foundOther || !FILLING.test(text)) records.push(NO_RECORD)
    this.foundOther = false
  }

  private keepKey(text: string): void {
    if (this.key !== undefined) this.key += text
  }

  private keepRest(piece: string, start: number, keyStart: number): void {
    if (this.isInString && this.depth === 1) {
      const key = this.key === undefined ? undefined : this.key + piece.slice(keyStart)
      this.key = key !== undefined && key.length <= this.members.length ? key : undefined
    }
    if (this.depth === this.between) this.foundOther ||= !FILLING.test(piece.slice(start))
    else if (!this.hadMembers || this.between > 0)
      this.rest = (this.rest + piece.slice(start)).slice(0, this.maxLength)
  }
}
