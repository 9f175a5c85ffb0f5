import { fieldsOf } from './read-csv.js'

/** Returns the first row of a file that is no comment, by its start. */
export function firstRow(opening: string): readonly string[] {
  const line = opening.split(/\r?\n/, 100).find((one) => one.trim() !== '' && !one.startsWith('#')) ?? ''
  return fieldsOf(line) ?? line.split(',')
}
