/**
 * Decodes bytes as ISO 8859-1: the relevant parts are ASCII, and a network name in invalid UTF-8 must not invalidate its
 * row. Skips a UTF-8 byte order mark.
 */
export async function* readPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let first = true
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1')
    yield first && text.startsWith('\u00ef\u00bb\u00bf') ? text.slice(3) : text
    first = false
  }
}
