import { isUsableCell, radioOf } from '@bearing/contracts/location/cell-identity'
import { MAX_CELL_RANGE, type PlacedCell } from '@bearing/contracts/location/packed-cells'
import { columnsOf, splitRow } from '@bearing/client/access-point-files/split-row'
import type { SkipReason } from '@bearing/client/access-point-files/skipped'

/** The columns of OpenCelliD's files without a header, in order. */
export const COLUMNS =
  'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal'.split(',')
const NEEDED = ['radio', 'mcc', 'net', 'area', 'cell', 'lon', 'lat'] as const

/** Reads a line of a cell file: a cell, the reason why it is skipped, or undefined for an empty line. */
export type ReadCell = (line: string) => PlacedCell | SkipReason | undefined

/**
 * Reads the public CSV cell files of Mozilla and OpenCelliD.
 *
 * @param first the first line: the header, or a cell
 * @returns undefined if it is neither
 */
export function cellReader(first: string): ReadCell | undefined {
  const fields = splitRow(first) ?? []
  const isHeader = columnsOf(fields).has('radio')
  const columns = columnsOf(isHeader ? fields : COLUMNS)
  if (!isHeader && (fields.length !== COLUMNS.length || !/^[a-z]+$/i.test(fields[0] ?? ''))) return undefined
  if (NEEDED.some((name) => !columns.has(name))) return undefined
  const needed = Math.max(...NEEDED.map((name) => columns.get(name) ?? 0))
  return (line) => {
    if (line === '' || line.startsWith('#') || (isHeader && line === first)) return undefined
    const own = splitRow(line)
    if (!own || own.length <= needed) return 'malformed'
    return cellOf((name) => (own[columns.get(name.toLowerCase()) ?? -1] ?? '').trim())
  }
}

function cellOf(field: (name: string) => string): PlacedCell | SkipReason {
  const number = (name: string) => (field(name) === '' ? NaN : Number(field(name)))
  const radio = radioOf(field('radio'))
  if (radio === undefined) return 'unknown_radio'
  const key = { radio, mcc: number('mcc'), mnc: number('net'), area: number('area'), cell: number('cell') }
  if (!isUsableCell(key)) return 'unusable_cell'
  const [lat, lon] = [number('lat'), number('lon')]
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180
  if (!isOnEarth || (lat === 0 && lon === 0)) return 'bad_coordinates'
  const range = Math.min(MAX_CELL_RANGE, Math.max(0, Math.round(number('range')) || 0))
  const samples = Math.min(2 ** 31 - 1, Math.max(1, Math.floor(number('samples')) || 1))
  return { ...key, lat, lon, range, samples }
}
