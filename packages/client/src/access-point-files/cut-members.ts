import { UnusableInputError } from '../errors.js'

/** Stands for an invalid record; no format accepts it. */
export const NO_RECORD = '\u0000'

/** Longer records are truncated to bound memory, and then are invalid JSON. Features are far shorter. */
const MAX_LENGTHS = { features: 65_536, items: 1_048_576 } as const
/** The array of a document whose members are records. */
export type Members = keyof typeof MAX_LENGTHS

/** Defects of JSON. */
type Fault = 'ends early' | 'has unbalanced brackets'

/**
 * Extracts the members of the array `features` or `items` of consecutive JSON documents, without holding one in memory. A
 * document without such an array is a record itself.
 *
 * @param pieces the documents, as ISO 8859-1 (`readPieces`)
 * @param name the file in messages
 * @throws UnusableInputError if a document ends early or is malformed
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
  if (cutter.fault !== undefined)
    throw new UnusableInputError(`${name} is damaged: its JSON ${cutter.fault}.`)
}

/** Characters that end or nest a member, or start a string. */
const MARKS = /["\\{}[\]]/g
/** Separators of documents and members; RFC 8142 starts each text with a record separator. */
const FILLING = /^[\s,\u001e]*$/

/**
 * Splits documents by counting brackets outside of strings; the reader parses the records. Other text between records is
 * returned as {@link NO_RECORD}, once.
 */
export class MemberCutter {
  fault: Fault | undefined
  private readonly maxLength: number
  private isInString = false
  /** Whether the previous piece ended with a backslash. */
  private skipsNext = false
  private depth = 0
  /** Depth of brackets between records: 0 between documents, 2 in the array. */
  private between = 0
  /** Whether the document had the array, so it is not a record itself. */
  private hadMembers = false
  /** Whether there was other text between two records. */
  private foundOther = false
  /** The incomplete record. */
  private rest = ''
  /** The last string in the outermost object, which is the next key; undefined within a long one. */
  private key: string | undefined = ''

  constructor(private readonly members: Members) {
    this.maxLength = MAX_LENGTHS[members]
  }

  /** Returns the records that end in this piece. */
  cut(piece: string): string[] {
    const records: string[] = []
    if (this.fault !== undefined) return records
    /** Start of the record, separator or string that was not kept yet. */
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
          // The members are records, not the document.
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

  /** Ends the text. */
  end(): void {
    if (this.depth > 0 || this.isInString) this.fault ??= 'ends early'
  }

  /** Whether there was other text after the last record. */
  get endsWithOther(): boolean {
    return this.foundOther
  }

  /** Returns the start of the text after the bracket; undefined if the bracket is unbalanced. */
  private close(
    mark: string,
    piece: string,
    { start, end }: { readonly start: number; readonly end: number },
    records: string[],
  ): number | undefined {
    this.depth--
    if (this.depth < 0 || (this.depth < this.between && mark !== ']')) {
      this.fault = 'has unbalanced brackets'
      return undefined
    }
    if (this.depth < this.between) {
      // The end of the array: the rest of the document has no records.
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
