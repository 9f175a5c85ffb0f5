import { columnOf, columnsOf } from '../csv/columns.js'
import { parseTime } from '../parse-time.js'
import { checkCircumstances, checkRow, numberOf, signalStrength, type RowReader } from './check-row.js'

/** Columns of Bluetooth beacon files. */
const BLUETOOTH = ['bluetoothscanage', 'beacontype']

/**
 * Reads `wifis.csv` of NeoStumbler's CSV export: one observation of an access point per row. Its `beacons.csv` has the same
 * columns and more, and no Wi-Fi.
 *
 * @param header the first row: `macAddress`, `latitude`, `longitude`, and `signalStrength`, `locationAccuracy` and `ssid`
 * where they are known, in any order and case
 * @returns undefined if one of the first three is missing
 */
export function neostumblerReader(header: readonly string[]): RowReader | undefined {
  const columns = columnsOf(header)
  const at = (name: string) => columnOf(columns, name)
  const [mac, lat, lon] = [at('macaddress'), at('latitude'), at('longitude')]
  const [dbm, accuracy, ssid] = [at('signalstrength'), at('locationaccuracy'), at('ssid')]
  const [time, age] = [at('timestamp'), at('wifiscanage')]
  if (mac < 0 || lat < 0 || lon < 0) return undefined
  const isWifi = !BLUETOOTH.some((name) => columns.has(name))
  const kindOf = (fields: readonly string[]) => {
    if (fields[mac]?.trim().toLowerCase() === 'macaddress') return undefined
    if (!isWifi) return 'not_wifi'
    return fields.length === header.length ? 'row' : 'malformed'
  }
  return {
    content: 'observations',
    read(fields) {
      const kind = kindOf(fields)
      if (kind !== 'row') return kind
      const text = (column: number) => fields[column] ?? ''
      const row = checkRow(text(mac), text(lat), text(lon), signalStrength(text(dbm)))
      return checkCircumstances(row, { ssid: text(ssid), accuracy: text(accuracy) })
    },
    readSighting(fields) {
      const kind = kindOf(fields)
      if (kind !== 'row') return kind
      const number = (column: number) => numberOf(fields[column])
      const [macAddress = '', name = ''] = [fields[mac]?.trim(), fields[ssid]]
      return {
        heard: { macAddress, ssid: name, signalStrength: number(dbm), age: number(age) },
        latitude: number(lat),
        longitude: number(lon),
        accuracy: number(accuracy),
        timestamp: parseTime(fields[time] ?? ''),
      }
    },
  }
}
