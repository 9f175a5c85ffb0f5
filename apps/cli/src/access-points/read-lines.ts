/** A longer line is no row of any format we read; it is cut here, so that a file without line ends stays harmless. */
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

/**
 * Splits text into lines, a list of lines for each piece: one step of an async loop for each line would cost more than
 * everything that is done with it.
 */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    const lines = text.split('\n')
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH)
    yield text.includes('\r') ? lines.map(withoutReturn) : lines
  }
  if (rest !== '') yield [rest]
}

/** Splitting by a regular expression takes four times as long. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
