import type { Input } from '@bearing/contracts/operation'
import type { resolveCellLocation } from '@bearing/contracts/location/cell'
import { isUsableCell, radioOf, type CellKey } from '@bearing/contracts/location/cell-identity'

/** Cells as they are sent, in either shape. */
export type SentCells = Pick<Input<typeof resolveCellLocation>, 'cellTowers' | 'lte'>

/**
 * The cells of a request that can be looked up, each once: those that have all parts, each in its range.
 *
 * @param radioType of cells that do not say their own
 */
export function readCells({ cellTowers = [], lte = [] }: SentCells, radioType = 'lte'): CellKey[] {
  const cells = new Map<string, CellKey>()
  const add = (name: string, ...[mcc, mnc, area, cell]: readonly (number | null | undefined)[]) => {
    const radio = radioOf(name)
    if (radio === undefined) return
    const key = { radio, mcc, mnc, area, cell }
    if (isUsableCell(key)) cells.set([radio, mcc, mnc, area, cell].join(), key)
  }
  for (const tower of cellTowers)
    add(
      tower.radioType ?? radioType,
      tower.mobileCountryCode,
      tower.mobileNetworkCode,
      tower.locationAreaCode,
      tower.newRadioCellId ?? tower.cellId,
    )
  for (const { mcc, mnc, tac, eci } of lte) add('lte', mcc, mnc, tac, eci)
  return [...cells.values()]
}
