import { cutMembers } from './cut-members.js'
import type { Opened } from './formats.js'
import { readLines, readReports } from './read-lines.js'

/**
 * Cuts a file into what its reader reads one by one, a list for each piece; the lines of its header are among them.
 *
 * @param name what the user calls the file
 * @throws UsageError where it is damaged
 */
export function cutRecords(
  { reader }: Opened,
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<string[]> {
  if (!('records' in reader) || reader.records === 'lines') return readLines(pieces)
  return reader.records === 'reports' ? readReports(pieces) : cutMembers(pieces, reader.records, name)
}
