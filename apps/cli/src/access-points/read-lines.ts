import { MemberCutter, NO_RECORD } from './cut-members.js'

/** A longer line is no row of any format we read. It is not kept, so that a file without line ends stays harmless. */
const MAX_LINE_LENGTH = 4 * 1_048_576

/**
 * Makes text of bytes, one character of each (ISO 8859-1): what matters is ASCII, and a network name that is not valid
 * UTF-8 must not cost its row. A byte order mark of UTF-8 is left out.
 */
export async function* readPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let first = true
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1')
    yield first && text.startsWith('\u00ef\u00bb\u00bf') ? text.slice(3) : text
    first = false
  }
}

/** What is made of a line that is too long. */
interface LongLine {
  cut(piece: string): string[]
  end(): string[]
}

/** It counts as one record that is none. */
const LEFT_OUT: LongLine = { cut: () => [], end: () => [NO_RECORD] }

/**
 * Splits text into lines, a list of lines for each piece: one step of an async loop for each line would cost more than
 * everything that is done with it. In the place of a line that is too long stands {@link NO_RECORD}.
 *
 * @param pieces each shorter than a line may be
 * @param openLong gives what makes records of a line that is too long
 */
export async function* readLines(
  pieces: AsyncIterable<string>,
  openLong: () => LongLine = () => LEFT_OUT,
): AsyncGenerator<string[]> {
  let rest = ''
  let long: LongLine | undefined
  for await (const piece of pieces) {
    const text = rest + piece
    const lines = text.split('\n')
    rest = lines.pop() ?? ''
    const [first] = lines
    if (first !== undefined && (long || first.length > MAX_LINE_LENGTH)) {
      long ??= openLong()
      yield [...long.cut(first), ...long.end()]
      long = undefined
      lines.shift()
    }
    yield text.includes('\r') ? lines.map(withoutReturn) : lines
    if (!long && rest.length <= MAX_LINE_LENGTH) continue
    long ??= openLong()
    yield long.cut(rest)
    rest = ''
  }
  if (long) yield long.end()
  else if (rest !== '') yield [rest]
}

/**
 * Splits JSON lines of the geosubmit shape. A line that is too long, which one object with many reports may be, is cut into its
 * reports; what is none of it counts as one record that is none.
 */
export function readReports(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  return readLines(pieces, () => {
    const cutter = new MemberCutter('items')
    return {
      cut: (piece) => cutter.cut(piece),
      end: () => {
        cutter.end()
        return cutter.fault !== undefined || cutter.endsWithOther ? [NO_RECORD] : []
      },
    }
  })
}

/** Splitting by a regular expression takes four times as long. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
