import { numberOf, type RowReader } from '../access-points/check-row.js'
import { columnOf, columnsOf } from '../csv/columns.js'
import { parseTime } from '../parse-time.js'
import { cellColumns } from './cell-rows.js'

/**
 * Reads radio cells that a device received, with its position: files of TowerCollector, and `cells.csv` of NeoStumbler.
 *
 * @param header the first row
 * @returns undefined if a column is missing; without a time the file says where cells are, not what was received
 */
export function cellSightings(header: readonly string[]): RowReader['readSighting'] {
  const { radio, mcc, mnc, area, cell, lat, lon } = cellColumns(header)
  const columns = columnsOf(header)
  const time = columnOf(columns, 'measured_at', 'timestamp')
  const [dbm, accuracy] = [
    columnOf(columns, 'dbm', 'signalstrength', 'signal'),
    columnOf(columns, 'accuracy', 'locationaccuracy'),
  ]
  const age = columnOf(columns, 'cellscanage')
  if ([radio, mcc, mnc, area, cell, lat, lon, time].includes(-1)) return undefined
  return (fields) => {
    if (fields[mcc] === header[mcc]) return undefined
    if (fields.length < header.length) return 'malformed'
    const number = (column: number) => numberOf(fields[column])
    return {
      heard: {
        radioType: fields[radio]?.trim() ?? '',
        cell: [number(mcc), number(mnc), number(area), number(cell)],
        signalStrength: number(dbm),
        age: number(age),
      },
      latitude: number(lat),
      longitude: number(lon),
      accuracy: number(accuracy),
      timestamp: parseTime(fields[time] ?? ''),
    }
  }
}
