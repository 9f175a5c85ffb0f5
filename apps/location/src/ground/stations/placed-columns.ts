import type { Placement } from '@bearing/positioning/learning/statistics/placement-of'
import type { AnyStation } from './station.js'

// The columns of learned stations that say where they are, for stations that have a place.

const COLUMNS = ['lat', 'lon', 'spread', 'moves'] as const
const TYPES = ['float8', 'float8', 'float8', 'bool'] as const

type Placed = Pick<AnyStation, 'placementOf'>

/** Returns `, lat, lon, spread, moves`; empty for stations without a place. */
export function placedColumns(station: Placed): string {
  return station.placementOf ? `, ${COLUMNS.join(', ')}` : ''
}

/** Returns the parameters of an `unnest` of {@link placedValues}, each after a comma. @param first the number of the first one */
export function placedParameters(station: Placed, first: number): string {
  if (!station.placementOf) return ''
  return TYPES.map((type, index) => `, $${String(first + index)}::${type}[]`).join('')
}

/** Returns assignments of the columns, each after a comma. @param source returns what is assigned to a column */
export function setPlaced(station: Placed, source: (column: string) => string): string {
  return station.placementOf ? COLUMNS.map((column) => `, ${column} = ${source(column)}`).join('') : ''
}

/** Returns the values for {@link placedParameters}; null where there is no placement. */
export function placedValues(station: Placed, placements: readonly (Placement | undefined)[]): unknown[][] {
  if (!station.placementOf) return []
  return [
    placements.map((one) => one?.lat ?? null),
    placements.map((one) => one?.lon ?? null),
    placements.map((one) => one?.spreadMeters ?? null),
    placements.map((one) => one?.moves ?? null),
  ]
}
