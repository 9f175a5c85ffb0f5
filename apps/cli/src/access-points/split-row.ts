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
