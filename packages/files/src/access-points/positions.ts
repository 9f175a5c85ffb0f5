import { columnOf, columnsOf } from '../csv/columns.js'
import { isOptedOut } from '@bearing/contracts/location/access-points/opted-out'
import { checkRow, type RowReader } from './check-row.js'

/**
 * Reads a list of positions, one access point per row.
 *
 * @param header the first row: `bssid` (or `mac`, as the stations of the Mozilla Location Service have it), `lat` and
 * `lon` in any order and case, and any other columns
 * @returns undefined if one of the three is missing
 */
export function positionsReader(header: readonly string[]): RowReader | undefined {
  const columns = columnsOf(header)
  const bssid = columnOf(columns, 'bssid', 'mac')
  const [lat, lon, ssid] = [columnOf(columns, 'lat'), columnOf(columns, 'lon'), columnOf(columns, 'ssid')]
  if (bssid < 0 || lat < 0 || lon < 0) return undefined
  const needed = Math.max(bssid, lat, lon)
  const isHeader = (fields: readonly string[]) => columnOf(columnsOf(fields), 'bssid', 'mac') === bssid
  return {
    content: 'positions',
    read(fields) {
      const address = fields[bssid] ?? ''
      if (/^ *(?:bssid|mac) *$/i.test(address) && isHeader(fields)) return undefined
      if (fields.length <= needed) return 'malformed'
      // More fields than columns: an unquoted comma may have shifted them.
      if (fields.length > header.length && fields.slice(header.length).some((field) => field !== ''))
        return 'malformed'
      const row = checkRow(address, fields[lat] ?? '', fields[lon] ?? '', null)
      return row !== 'unusable_mac' && ssid >= 0 && isOptedOut(fields[ssid] ?? '') ? 'opted_out' : row
    },
  }
}
