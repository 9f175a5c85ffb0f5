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

/** Returns the first of some columns that a header has; −1 if it has none. */
export function columnOf(columns: ReadonlyMap<string, number>, ...names: readonly string[]): number {
  for (const name of names) {
    const column = columns.get(name)
    if (column !== undefined) return column
  }
  return -1
}
