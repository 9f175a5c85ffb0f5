import { MemberCutter, NO_RECORD } from './cut-members.js'

/** Longer lines are in no supported format. They are dropped, to bound memory. */
const MAX_LINE_LENGTH = 4 * 1_048_576

/** Handles a line that is too long. */
interface LongLine {
  cut(piece: string): string[]
  end(): string[]
}

/** Counts as one invalid record. */
const LEFT_OUT: LongLine = { cut: () => [], end: () => [NO_RECORD] }

/**
 * Splits text into lists of lines, because an async step per line would cost more than its processing. A line that is too
 * long becomes {@link NO_RECORD}.
 *
 * @param pieces each shorter than a line may be
 * @param openLong returns a handler of a line that is too long
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
 * Splits geosubmit JSON lines. A line that is too long is split into its reports; other text counts as one invalid record.
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
