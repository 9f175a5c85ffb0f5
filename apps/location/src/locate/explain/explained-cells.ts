import { formatCell, type CellKey } from '@bearing/contracts/location/cells/cell-identity'
import type { ExplainedCell } from '@bearing/contracts/location/lookups/explanation'
import { squaredDistance, toVector, type Coordinates } from '@bearing/positioning/earth/sphere'
import type { TracedCell } from '../sources/search-trace.js'

/**
 * Returns what became of each cell of a request, as `explainAccessPoints` does.
 *
 * @param keys of the cells that were sent; undefined for one that cannot be looked up
 * @param known those that are known; undefined if cells did not decide, or none is
 * @param isNeeded whether no source before the cells found the position
 */
export function explainCells(
  keys: readonly (CellKey | undefined)[],
  known: readonly TracedCell[] | undefined,
  isNeeded: boolean,
  position: Coordinates | undefined,
): ExplainedCell[] {
  const byName = new Map(known?.map((cell) => [formatCell(cell.key), cell]))
  return keys.map((key) => {
    if (!key) return { cell: null, outcome: 'unusable' }
    const cell = formatCell(key)
    if (!isNeeded) return { cell, outcome: 'not_needed' }
    const { own, isUsed } = byName.get(cell) ?? {}
    if (!own) return { cell, outcome: 'not_own' }
    const { lat, lon, rangeMeters: range, samples } = own
    const distance = position ? Math.sqrt(squaredDistance(toVector(own), toVector(position))) : null
    return { cell, outcome: isUsed ? 'used' : 'elsewhere', own: { lat, lon, range, samples, distance } }
  })
}
