/** A longer line is no row of any format we read; it is cut here, so that a file without line ends stays harmless. */
const MAX_LINE_LENGTH = 65_536

/**
 * Splits bytes into lines, a list of lines for each chunk: one step of an async loop for each line would cost more than
 * everything that is done with it.
 *
 * Bytes become characters one by one (ISO 8859-1): what matters is ASCII, and a network name that is not valid UTF-8
 * must not cost its row.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest = ''
  let first = true
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH)
    if (first && lines.length > 0) {
      first = false
      lines[0] = withoutByteOrderMark(lines[0] ?? '')
    }
    yield lines
  }
  if (rest !== '') yield [first ? withoutByteOrderMark(rest) : rest]
}

/** The byte order mark of UTF-8, as ISO 8859-1 shows it. */
function withoutByteOrderMark(line: string): string {
  return line.startsWith('\u00ef\u00bb\u00bf') ? line.slice(3) : line
}
