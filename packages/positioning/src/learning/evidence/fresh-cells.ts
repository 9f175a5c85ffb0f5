import { compareCells, isUsableCell } from '@bearing/contracts/location/cells/cell-identity'
import type { RadioCellReading } from './contribution.js'

/** A reading older than this was heard somewhere else, in milliseconds: as of access points. */
const MOST_AGE_MS = 20_000

/** Returns whether a cell may be one. Devices fill in 0 for what they do not know; no area and hardly a cell has that number. */
function isLearnable(cell: RadioCellReading): boolean {
  return isUsableCell(cell) && cell.area > 0 && cell.cell > 0
}

/**
 * Returns the radio cells that were heard where the scan says. Devices say the same of the cell that serves them again and again, so that
 * signals repeat says nothing here.
 *
 * @returns each cell once, with its strongest signal, in the order of {@link compareCells}
 */
export function freshCells(cells: readonly RadioCellReading[]): readonly RadioCellReading[] {
  const fresh = cells
    .filter((cell) => isLearnable(cell) && (cell.ageMs ?? 0) <= MOST_AGE_MS)
    .sort(compareCells)
  const strongest: RadioCellReading[] = []
  for (const cell of fresh) {
    const other = strongest.at(-1)
    if (!other || compareCells(other, cell) !== 0) strongest.push(cell)
    else if ((cell.signalDbm ?? -Infinity) > (other.signalDbm ?? -Infinity))
      strongest[strongest.length - 1] = cell
  }
  return strongest
}
