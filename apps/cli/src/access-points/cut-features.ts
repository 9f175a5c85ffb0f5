/** A longer feature is none of an access point; what is longer is cut off, so that no file fills the memory. */
const MAX_FEATURE_LENGTH = 65_536

/**
 * Cuts the members of the array `features` out of a JSON document, without reading the document as a whole: collections
 * of access points are larger than memory. Members are cut by counting brackets outside of strings; whether each is JSON
 * is for its reader to say.
 *
 * @param pieces the document, as ISO 8859-1 (`readPieces`)
 */
export async function* cutFeatures(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  const cutter = new FeatureCutter()
  for await (const piece of pieces) yield cutter.cut(piece)
}

const OPENING = /"features"\s*:\s*\[/
/** What can end or nest a member, or hide such a thing. */
const MARKS = /["\\{}[\]]/g

class FeatureCutter {
  private isInside = false
  private isInString = false
  /** Whether the piece before ended with a backslash. */
  private skipsNext = false
  private depth = 0
  /** What was read of the document before the array, or of the member that is not complete. */
  private rest = ''

  cut(piece: string): string[] {
    let text = piece
    if (!this.isInside) {
      const before = this.rest + piece
      const opening = OPENING.exec(before)
      if (!opening) {
        this.rest = before.slice(-MAX_FEATURE_LENGTH)
        return []
      }
      this.isInside = true
      this.rest = ''
      text = before.slice(opening.index + opening[0].length)
    }
    return this.members(text)
  }

  private members(text: string): string[] {
    const members: string[] = []
    let start = 0
    MARKS.lastIndex = this.skipsNext ? 1 : 0
    this.skipsNext = false
    for (let found = MARKS.exec(text); found; found = MARKS.exec(text)) {
      const [mark] = found
      if (this.isInString) {
        if (mark === '"') this.isInString = false
        else if (mark === '\\') {
          this.skipsNext = found.index + 1 === text.length
          MARKS.lastIndex++
        }
      } else if (mark === '"') this.isInString = true
      else if (mark === '{' || mark === '[') {
        if (this.depth++ === 0) start = found.index
      } else if (mark !== '\\' && --this.depth === 0) {
        members.push((this.rest + text.slice(start, found.index + 1)).slice(0, MAX_FEATURE_LENGTH))
        this.rest = ''
      } else if (this.depth < 0) {
        // The end of the array. Whatever comes behind it is no feature.
        this.depth = Number.NEGATIVE_INFINITY
        return members
      }
    }
    if (this.depth > 0) this.rest = (this.rest + text.slice(start)).slice(0, MAX_FEATURE_LENGTH)
    return members
  }
}
