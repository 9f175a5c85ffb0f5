import { cutMembers } from './cut-members.js'
import type { Opened } from './formats.js'
import { readLines, readReports } from './read-lines.js'

/**
 * Splits a file into the records of its reader, a list for each piece, including header lines.
 *
 * @param name the file in messages
 * @throws UnusableInputError if it is damaged
 */
export function cutRecords(
  { reader }: Opened,
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<string[]> {
  if (!('records' in reader) || reader.records === 'lines') return readLines(pieces)
  return reader.records === 'reports' ? readReports(pieces) : cutMembers(pieces, reader.records, name)
}
