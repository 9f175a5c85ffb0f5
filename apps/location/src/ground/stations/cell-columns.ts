import type { CellKey, Radio } from '@bearing/contracts/location/cell-identity'

/** The columns that a radio cell is known by, in the order of the primary keys. */
export const CELL_COLUMNS = 'radio, mcc, mnc, area, cell'

/** Radio cells as five parameters, for `unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::bigint[])`. */
export function cellColumns(cells: readonly CellKey[]): number[][] {
  const column = (name: keyof CellKey) => cells.map((cell) => cell[name])
  return [column('radio'), column('mcc'), column('mnc'), column('area'), column('cell')]
}

/** The columns of a radio cell, as the first of a row. The database checks that the radio is one. */
export type CellRow = [radio: Radio, mcc: number, mnc: number, area: number, cell: number]

/** The radio cell of a row. */
export function cellOfRow([radio, mcc, mnc, area, cell]: readonly [...CellRow, ...unknown[]]): CellKey {
  return { radio, mcc, mnc, area, cell }
}
