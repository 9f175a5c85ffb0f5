import { nameOfRadio, type Radio } from '@bearing/contracts/location/cells/cell-identity'
import type { KnownCell } from '@bearing/contracts/location/cells/known-cell'
import type { KnownCell as Known } from '@bearing/positioning/cells/locate-cells'

/** Columns that identify a cell. */
export type CellRow = [radio: Radio, mcc: number, mnc: number, area: number, cell: number]

/** Returns a cell as an export contains it. */
export function exportedCell(
  row: readonly [...CellRow, ...unknown[]],
  { rangeMeters: range, ...place }: Known,
  { learned, updatedAt }: { readonly learned: boolean; readonly updatedAt: Date },
): KnownCell {
  return { ...identityOf(row), ...place, range, learned, updated_at: updatedAt.toISOString() }
}

function identityOf([radio, mcc, mnc, area, cell]: readonly [...CellRow, ...unknown[]]) {
  return {
    radioType: nameOfRadio(radio),
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
    locationAreaCode: area,
    cellId: cell,
  } satisfies Partial<KnownCell>
}
