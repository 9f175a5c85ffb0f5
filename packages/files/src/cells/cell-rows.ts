import { isUsableCell, radioOf } from '@bearing/contracts/location/cells/cell-identity'
import { MAX_CELL_RANGE, type PlacedCell } from '@bearing/contracts/location/cells/packed-cells'
import { numberOf } from '../access-points/check-row.js'
import type { SkipReason } from '../access-points/skipped.js'
import { columnOf, columnsOf } from '../csv/columns.js'

/** The columns of OpenCelliD's files without a header, in order. */
export const COLUMNS =
  'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal'.split(',')

/** Reads a row of a cell file: a cell, the reason why it is skipped, or undefined for a header. */
export type ReadCell = (fields: readonly string[]) => PlacedCell | SkipReason | undefined

/**
 * Reads the public CSV cell files of Mozilla and OpenCelliD; columns may have the names of other programs as well.
 *
 * @param first the first row: the header, or a cell
 * @returns undefined if it is neither
 */
export function cellReader(first: readonly string[]): ReadCell | undefined {
  const isHeader = cellColumns(first).radio >= 0
  if (!isHeader && (first.length !== COLUMNS.length || !/^[a-z]+$/i.test(first[0]?.trim() ?? '')))
    return undefined
  const columns = cellColumns(isHeader ? first : COLUMNS)
  const { radio, mcc, mnc, area, cell, lat, lon } = columns
  const needed = [radio, mcc, mnc, area, cell, lat, lon]
  if (needed.includes(-1)) return undefined
  return (fields) => {
    if (isHeader && fields[radio] === first[radio]) return undefined
    return fields.length <= Math.max(...needed) ? 'malformed' : cellOf(fields, columns)
  }
}

type CellColumns = ReturnType<typeof cellColumns>

/** Returns where the columns of a cell are, by the names that files have for them; −1 where there is none. */
export function cellColumns(header: readonly string[]) {
  const columns = columnsOf(header)
  const at = (...names: readonly string[]) => columnOf(columns, ...names)
  return {
    radio: at('radio', 'radiotype', 'net_type', 'act'),
    mcc: at('mcc', 'mobilecountrycode'),
    mnc: at('net', 'mnc', 'mobilenetworkcode'),
    area: at('area', 'lac', 'tac', 'locationareacode'),
    cell: at('cell', 'cid', 'cellid', 'cell_id', 'ci', 'nci'),
    lat: at('lat', 'latitude'),
    lon: at('lon', 'lng', 'longitude'),
    range: at('range'),
    samples: at('samples'),
  }
}

function cellOf(fields: readonly string[], columns: CellColumns): PlacedCell | SkipReason {
  const number = (name: keyof CellColumns) => numberOf(fields[columns[name]])
  const radio = radioOf((fields[columns.radio] ?? '').trim())
  if (radio === undefined) return 'unknown_radio'
  const key = { radio, mcc: number('mcc'), mnc: number('mnc'), area: number('area'), cell: number('cell') }
  if (!isUsableCell(key)) return 'unusable_cell'
  const [lat, lon] = [number('lat'), number('lon')]
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180
  if (!isOnEarth || (lat === 0 && lon === 0)) return 'bad_coordinates'
  const range = Math.min(MAX_CELL_RANGE, Math.max(0, Math.round(number('range')) || 0))
  const samples = Math.min(2 ** 31 - 1, Math.max(1, Math.floor(number('samples')) || 1))
  return { ...key, lat, lon, range, samples }
}
