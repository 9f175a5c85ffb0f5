export { splitRow } from '@bearing/contracts/csv-row'

/** The fields of a row, by index; missing ones are empty. */
export interface Fields {
  at(index: number): string
}

/** Fields as an array. */
export function fieldsOf(split: readonly string[]): Fields {
  return { at: (index) => split[index] ?? '' }
}

/**
 * The fields of simple rows: without quotes, and with the expected number of fields. A field becomes a string only when it
 * is read, because most are not.
 */
export class PlainFields implements Fields {
  private line = ''
  /** Offset of the comma before each field, and the end of the row. */
  private readonly commas: Int32Array

  /** @param columns the number of fields */
  constructor(private readonly columns: number) {
    this.commas = new Int32Array(columns + 1).fill(-1)
  }

  /** Sets the row. @returns whether it is simple; otherwise its fields must not be read */
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
 * Returns the columns of a header by name, ignoring case; the first of the same name counts.
 */
export function columnsOf(header: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>()
  header.forEach((name, index) => {
    const key = name.trim().toLowerCase()
    if (!columns.has(key)) columns.set(key, index)
  })
  return columns
}
