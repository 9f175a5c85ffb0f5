import { checkCircumstances, checkRow, signalStrength, type Reading, type RowReader } from './row-reader.js'
import { columnsOf, fieldsOf, PlainFields, splitRow, type Fields } from './split-row.js'

/** Columns of Bluetooth beacon files. */
const BLUETOOTH = ['bluetoothscanage', 'beacontype']

/**
 * Reads `wifis.csv` of NeoStumbler's CSV export: one observation of an access point per row. Its `beacons.csv` has the same
 * columns and more, and no Wi-Fi.
 *
 * @param header the first line: `macAddress`, `latitude`, `longitude`, and `signalStrength`, `locationAccuracy` and `ssid`
 * where they are known, in any order and case
 * @returns undefined if one of the first three is missing
 */
export function neostumblerReader(header: string): RowReader | undefined {
  const names = splitRow(header)
  if (!names) return undefined
  const columns = columnsOf(names)
  const at = (name: string) => columns.get(name) ?? -1
  const [mac, lat, lon] = [at('macaddress'), at('latitude'), at('longitude')]
  const [dbm, accuracy, ssid] = [at('signalstrength'), at('locationaccuracy'), at('ssid')]
  if (mac < 0 || lat < 0 || lon < 0) return undefined
  const isWifi = !BLUETOOTH.some((name) => columns.has(name))
  const plain = new PlainFields(names.length)
  const readFields = (fields: Fields): Reading => {
    const row = checkRow(fields.at(mac), fields.at(lat), fields.at(lon), signalStrength(fields.at(dbm)))
    return checkCircumstances(row, { ssid: fields.at(ssid), accuracy: fields.at(accuracy) })
  }
  return {
    content: 'observations',
    read(line) {
      if (line === '' || line === header) return undefined
      if (!isWifi) return 'not_wifi'
      if (plain.take(line)) return readFields(plain)
      const fields = splitRow(line)
      return fields?.length === names.length ? readFields(fieldsOf(fields)) : 'malformed'
    },
  }
}
