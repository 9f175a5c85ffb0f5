/**
 * Splits a row of CSV (RFC 4180) into fields. A row is one line, so that an unclosed quote does not swallow the next rows.
 *
 * @returns undefined if the quotes are unbalanced
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
