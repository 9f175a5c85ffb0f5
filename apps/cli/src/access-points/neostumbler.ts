import { checkCircumstances, checkRow, signalStrength, type RowReader } from './row-reader.js'
import { columnsOf, splitRow } from './split-row.js'

/**
 * Reads `wifis.csv` of the CSV export of NeoStumbler: one observation of an access point in each row.
 *
 * @param header the first line: `macAddress`, `latitude`, `longitude`, and `signalStrength`, `locationAccuracy` and `ssid`
 * where they are known, in any order and case
 * @returns undefined where one of the first three is missing
 */
export function neostumblerReader(header: string): RowReader | undefined {
  const names = splitRow(header)
  if (!names) return undefined
  const columns = columnsOf(names)
  const at = (name: string) => columns.get(name) ?? -1
  const [mac, lat, lon] = [at('macaddress'), at('latitude'), at('longitude')]
  const [dbm, accuracy, ssid] = [at('signalstrength'), at('locationaccuracy'), at('ssid')]
  if (mac < 0 || lat < 0 || lon < 0) return undefined
  return {
    content: 'observations',
    read(line) {
      if (line === '' || line === header) return undefined
      const fields = splitRow(line)
      if (fields?.length !== names.length) return 'malformed'
      const field = (index: number) => fields[index] ?? ''
      const row = checkRow(field(mac), field(lat), field(lon), signalStrength(field(dbm)))
      return checkCircumstances(row, { ssid: field(ssid), accuracy: field(accuracy) })
    },
  }
}
