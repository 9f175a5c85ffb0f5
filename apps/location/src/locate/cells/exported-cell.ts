import { nameOfRadio, type Radio } from '@bearing/contracts/location/cells/cell-identity'
import type { KnownCell } from '@bearing/contracts/location/cells/known-cell'
import type { KnownCell as Known } from '@bearing/positioning/cells/locate-cells'
import type { RowOf } from '../../ground/read-rows.js'

/** Columns that identify a cell. */
export const CELL = { radio: 'int2', mcc: 'int2', mnc: 'int2', area: 'int4', cell: 'int8' } as const
export type CellRow = RowOf<typeof CELL>

/** Returns a cell as an export contains it. */
export function exportedCell(
  row: CellRow,
  { rangeMeters: range, ...place }: Known,
  { learned, updatedAt }: { readonly learned: boolean; readonly updatedAt: Date },
): KnownCell {
  return { ...identityOf(row), ...place, range, learned, updated_at: updatedAt.toISOString() }
}

function identityOf({ radio, mcc, mnc, area, cell }: CellRow) {
  return {
    radioType: nameOfRadio(radio as Radio),
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
    locationAreaCode: area,
    cellId: cell,
  } satisfies Partial<KnownCell>
}
