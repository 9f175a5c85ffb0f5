import type { AnyStation, Station } from './station.js'

// Parts of SQL statements about the keys of stations.

/** Returns `bssid`, or `radio, mcc, mnc, area, cell`. */
export function keyColumns({ columns }: Pick<AnyStation, 'columns'>): string {
  return columns.map(([name]) => name).join(', ')
}

/** Returns the parameters of an `unnest` of keys, such as `$2::int8[]`. @param first the number of the first one */
export function keyParameters({ columns }: Pick<AnyStation, 'columns'>, first: number): string {
  return columns.map(([, type], index) => `$${String(first + index)}::${type}[]`).join(', ')
}

/** Returns the values for {@link keyParameters}. */
export function keyValues<Key>(station: Station<Key, unknown>, keys: readonly Key[]): number[][] {
  const rows = keys.map((key) => station.valuesOf(key))
  return station.columns.map((_, column) => rows.map((values) => values[column] ?? 0))
}

/** Returns the condition that two rows have the same key. */
export function sameKey({ columns }: Pick<AnyStation, 'columns'>, one: string, other: string): string {
  return columns.map(([name]) => `${one}.${name} = ${other}.${name}`).join(' AND ')
}

/** Returns the order of two keys, which is that of the primary keys. */
export function compareKeys<Key>(station: Station<Key, unknown>, one: Key, other: Key): number {
  const [values, others] = [station.valuesOf(one), station.valuesOf(other)]
  for (const [index, value] of values.entries()) {
    const difference = value - (others[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
