/**
 * Splits a row of CSV (RFC 4180) into its fields. A row is a line: files of this kind are written by many programs, and
 * a quote that one of them forgot to close must not swallow the rows after it.
 *
 * @returns undefined where the quotes do not fit together
 */
export function splitRow(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',')
  const fields: string[] = []
  let at = 0
  for (;;) {
    if (line.charAt(at) === '"') {
      const end = closingQuote(line, at + 1)
      if (end === undefined) return undefined
      fields.push(line.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1
      if (at === line.length) return fields
      if (line.charAt(at) !== ',') return undefined
      at++
    } else {
      const comma = line.indexOf(',', at)
      fields.push(line.slice(at, comma < 0 ? undefined : comma))
      if (comma < 0) return fields
      at = comma + 1
    }
  }
}

function closingQuote(line: string, from: number): number | undefined {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 2))
    if (line.charAt(at + 1) !== '"') return at
  return undefined
}

/** The fields of a row, by number from 0; one that is not there is empty. */
export interface Fields {
  at(index: number): string
}

/** Fields that were split. */
export function fieldsOf(split: readonly string[]): Fields {
  return { at: (index) => split[index] ?? '' }
}

/**
 * The fields of rows that need no decision: without a quote, and with as many as there are columns. Each is made a text only
 * where it is asked for, because most columns of a file are not.
 */
export class PlainFields implements Fields {
  private line = ''
  /** Where the comma before each field is, and the end of the last one. */
  private readonly commas: Int32Array

  /** @param columns how many fields a row has */
  constructor(private readonly columns: number) {
    this.commas = new Int32Array(columns + 1).fill(-1)
  }

  /** Takes another row. @returns whether it is such a one; else nothing may be asked of it */
  take(line: string): boolean {
    const { columns, commas } = this
    if (line.includes('"')) return false
    let comma = -1
    for (let field = 1; field < columns; field++) {
      comma = line.indexOf(',', comma + 1)
      if (comma < 0) return false
      commas[field] = comma
    }
    if (line.includes(',', comma + 1)) return false
    commas[columns] = line.length
    this.line = line
    return true
  }

  at(index: number): string {
    const { commas, line } = this
    const before = commas[index]
    return before === undefined || index === this.columns ? '' : line.slice(before + 1, commas[index + 1])
  }
}

/**
 * The columns of a header by name, without regard to case; the first of several with the same name counts.
 */
export function columnsOf(header: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>()
  header.forEach((name, index) => {
    const key = name.trim().toLowerCase()
    if (!columns.has(key)) columns.set(key, index)
  })
  return columns
}
