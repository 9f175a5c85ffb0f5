import { isOptedOut } from '@bearing/contracts/location/opted-out'
import { checkRow, type Reading, type RowReader } from './row-reader.js'
import { columnsOf, fieldsOf, PlainFields, splitRow, type Fields } from './split-row.js'

/**
 * Reads a list of positions, one access point per row.
 *
 * @param header the first line: `bssid` (or `mac`, as the stations of the Mozilla Location Service have it), `lat` and
 * `lon` in any order and case, and any other columns
 * @returns undefined if one of the three is missing
 */
export function positionsReader(header: string): RowReader | undefined {
  const names = splitRow(header)
  if (!names) return undefined
  const columns = columnsOf(names)
  const bssid = columns.get('bssid') ?? columns.get('mac')
  const lat = columns.get('lat')
  const lon = columns.get('lon')
  const ssid = columns.get('ssid') ?? -1
  if (bssid === undefined || lat === undefined || lon === undefined) return undefined
  const needed = Math.max(bssid, lat, lon)
  const plain = new PlainFields(names.length)
  const readFields = (fields: Fields): Reading => {
    const row = checkRow(fields.at(bssid), fields.at(lat), fields.at(lon), null)
    return row !== 'unusable_mac' && ssid >= 0 && isOptedOut(fields.at(ssid)) ? 'opted_out' : row
  }
  return {
    content: 'positions',
    read(line) {
      if (line === '' || line.startsWith('#') || line === header) return undefined
      if (plain.take(line)) return readFields(plain)
      const fields = splitRow(line)
      if (!fields || fields.length <= needed) return 'malformed'
      // More fields than columns: an unquoted comma may have shifted them.
      if (fields.length > names.length && fields.slice(names.length).some((field) => field !== ''))
        return 'malformed'
      return readFields(fieldsOf(fields))
    },
  }
}
