import { readCsv } from '../csv/read-csv.js'
import { NO_JSON, readJsonLines, readMembers } from '../json/read-json.js'
import { ROWS, type Opened } from './formats.js'
import type { Reading } from './check-row.js'

/** The reading of one record. */
export interface ReadRecord {
  /** From 1: the line, or the record if the format is JSON. */
  readonly line: number
  readonly reading: Reading
}

/**
 * Reads a file of access points in constant memory.
 *
 * @param chunks its bytes from the start
 * @param name the file in messages
 * @returns the readings of the records of each chunk
 * @throws UnusableFileError if it is damaged
 */
export async function* readAccessPoints(
  { reader }: Opened,
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<ReadRecord[]> {
  if ('read' in reader) {
    for await (const rows of readCsv(chunks, ROWS))
      yield rows.map(({ fields, line }) => ({ line, reading: fields ? reader.read(fields) : 'malformed' }))
    return
  }
  let line = 0
  const { records } = reader
  for await (const found of records === 'lines' ? readJsonLines(chunks) : readMembers(chunks, records, name))
    yield found.flatMap((record) => {
      line++
      const readings = record === NO_JSON ? (['malformed'] as const) : reader.readAll(record)
      return readings.map((reading) => ({ line, reading }))
    })
}
