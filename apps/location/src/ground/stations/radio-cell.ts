import { formatCell, type CellKey, type Radio } from '@bearing/contracts/location/cells/cell-identity'
import { cellBytes } from '@bearing/positioning/learning/evidence/contribution-codec'
import { radioCellEvidence } from '@bearing/positioning/learning/evidence/learn'
import {
  decodeRadioCell,
  encodeRadioCell,
  mergeRadioCells,
  withoutArea,
  type RadioCellStatistics,
} from '@bearing/positioning/learning/statistics/radio-cell-statistics'
import type { Station } from './station.js'

const IMPORTED = [
  ['lat', 'float8'],
  ['lon', 'float8'],
  ['range', 'float8'],
  ['samples', 'int4'],
] as const

/** Radio cells. They are heard kilometers away, so an erased area removes what was heard there and never the cell. */
export const RADIO_CELL: Station<CellKey, RadioCellStatistics, typeof IMPORTED> = {
  name: 'radio-cell',
  tables: { imported: 'cells', learned: 'learned_cells', tombstones: 'forgotten_cells' },
  columns: [
    ['radio', 'int2'],
    ['mcc', 'int2'],
    ['mnc', 'int2'],
    ['area', 'int4'],
    ['cell', 'int8'],
  ],
  importedColumns: IMPORTED,
  valuesOf: ({ radio, mcc, mnc, area, cell }) => [radio, mcc, mnc, area, cell],
  // The database checks that the radio is one.
  keyOf: ([radio, mcc = 0, mnc = 0, area = 0, cell = 0]) => ({ radio: radio as Radio, mcc, mnc, area, cell }),
  idOf: formatCell,
  bytesOf: cellBytes,
  encode: encodeRadioCell,
  decode: decodeRadioCell,
  merge: mergeRadioCells,
  countIn: ({ observations }) => observations,
  withoutAreas: (statistics, areas) => {
    let left: RadioCellStatistics | undefined = statistics
    for (const area of areas) left = left && withoutArea(left, area, area.radius)
    return left
  },
  keysIn: ({ cells = [] }) => cells,
  evidenceIn: (heard) => radioCellEvidence(heard, heard.cells ?? []),
  filter: (heard, keeps) => {
    const cells = heard.cells?.filter(keeps)
    return cells?.length === heard.cells?.length ? heard : { ...heard, cells }
  },
}
