import { MAX_CELLS } from '@bearing/contracts/location/cells/cell'
import { formatCell, isUsableCell, type CellKey } from '@bearing/contracts/location/cells/cell-identity'
import { keyOfTower, type Sent, type SentTower } from './key-of-tower.js'

/** Cells as they are sent, in either shape. */
export interface SentCells {
  readonly cellTowers?: readonly (SentTower | undefined)[] | null | undefined
  readonly lte?: LteCells
  /** LTE-M and NB-IoT. */
  readonly ltecatm?: LteCells
  readonly nbiot?: LteCells
}

type LteCells = readonly (SentLteCell | undefined)[] | null | undefined

/** An LTE cell as modems name its parts. */
interface SentLteCell {
  readonly mcc?: Sent
  readonly mnc?: Sent
  readonly tac?: Sent
  readonly eci?: Sent
}

/** Returns the number of cells that were sent. */
export function countCells(sent: SentCells): number {
  return (sent.cellTowers?.length ?? 0) + lteCellsOf(sent).length
}

/**
 * Returns the cells of a request that can be looked up, each once: the first {@link MAX_CELLS} that have all parts, each in its range.
 *
 * @param radioType of cells that do not say their own
 */
export function readCells(sent: SentCells, radioType = 'lte'): CellKey[] {
  const cells = new Map<string, CellKey>()
  for (const key of keysOf(sent, radioType)) if (key) cells.set(formatCell(key), key)
  return [...cells.values()].slice(0, MAX_CELLS)
}

/** Returns the key of each cell that was sent, in order; undefined for one that cannot be looked up. */
export function keysOf(sent: SentCells, radioType = 'lte'): (CellKey | undefined)[] {
  return [
    ...(sent.cellTowers ?? []).map((tower) => tower && keyOfTower(tower, radioType)),
    ...lteCellsOf(sent).map((cell) => cell && keyOfLte(cell)),
  ]
}

function lteCellsOf({ lte, ltecatm, nbiot }: SentCells): readonly (SentLteCell | undefined)[] {
  return ltecatm || nbiot ? [...(lte ?? []), ...(ltecatm ?? []), ...(nbiot ?? [])] : (lte ?? [])
}

function keyOfLte({ mcc, mnc, tac, eci }: SentLteCell): CellKey | undefined {
  const key = { radio: 4, mcc, mnc, area: tac, cell: eci } as const
  return isUsableCell(key) ? key : undefined
}
