import { columnOf, columnsOf } from '../csv/columns.js'
import { parseTime } from '../parse-time.js'
import { checkCircumstances, checkRow, numberOf, signalStrength, type RowReader } from './check-row.js'

/** Indexes of the columns that are needed; −1 if there is none. */
interface Columns {
  readonly length: number
  readonly mac: number
  readonly ssid: number
  readonly firstSeen: number
  readonly rssi: number
  readonly latitude: number
  readonly longitude: number
  readonly altitude: number
  readonly accuracy: number
  readonly type: number
}

/** Returns true for the first row of a WiGLE CSV export. It names the program that wrote it; the columns are in the next row. */
export function isWigleStart(fields: readonly string[]): boolean {
  return fields[0]?.startsWith('WigleWifi-') === true
}

/**
 * Reads the rows of a WiGLE CSV export: one observation of a network in each. Files may be several, one after the other, and have headers
 * for other kinds of radios: a row is read by the latest header that has its number of columns ({@link rowOf}).
 *
 * @param header the row with the names of the columns
 * @returns undefined where columns are missing
 */
export function wigleReader(header: readonly string[]): RowReader | undefined {
  const first = readHeader(header)
  if (!first) return undefined
  const headers = [first]
  const rowIn = (fields: readonly string[]) => {
    if (isWigleStart(fields)) return undefined
    if (/^ *(?:mac|bssid) *$/i.test(fields[0] ?? '')) {
      const next = readHeader(fields)
      if (next) headers.unshift(next)
      if (headers.length > MAX_HEADERS) headers.pop()
      return undefined
    }
    const row = rowOf(fields, headers)
    if (!row) return 'malformed'
    return row.type === undefined || row.type.trim().toUpperCase() === 'WIFI' ? row : 'not_wifi'
  }
  return {
    content: 'observations',
    read(fields) {
      const row = rowIn(fields)
      if (typeof row !== 'object') return row
      const { text } = row
      const checked = checkRow(text('mac'), text('latitude'), text('longitude'), signalStrength(text('rssi')))
      return checkCircumstances(checked, { ssid: text('ssid'), accuracy: text('accuracy') })
    },
    readSighting(fields) {
      const row = rowIn(fields)
      if (typeof row !== 'object') return row
      const { text } = row
      return {
        heard: {
          macAddress: text('mac').trim(),
          ssid: text('ssid'),
          signalStrength: numberOf(text('rssi')),
        },
        latitude: numberOf(text('latitude')),
        longitude: numberOf(text('longitude')),
        // Programs write 0 where they know none.
        altitude: numberOf(text('altitude')) || Number.NaN,
        accuracy: numberOf(text('accuracy')),
        timestamp: parseTime(text('firstSeen')),
      }
    },
  }
}

/** Headers that are kept: of Wi-Fi, Bluetooth and cells, in two versions. */
const MAX_HEADERS = 6

function readHeader(names: readonly string[]): Columns | undefined {
  const byName = columnsOf(names)
  const at = (...name: readonly string[]) => columnOf(byName, ...name)
  const columns: Columns = {
    // A comma at the end is no column.
    length: names.at(-1)?.trim() === '' ? names.length - 1 : names.length,
    mac: at('mac', 'bssid'),
    ssid: at('ssid', 'name'),
    firstSeen: at('firstseen'),
    rssi: at('rssi'),
    latitude: at('currentlatitude'),
    longitude: at('currentlongitude'),
    altitude: at('altitudemeters'),
    accuracy: at('accuracymeters'),
    type: at('type'),
  }
  return columns.mac < 0 || columns.latitude < 0 || columns.longitude < 0 ? undefined : columns
}

/** A row whose columns are known. */
interface Row {
  readonly text: (column: keyof Columns) => string
  /** Undefined in files of before there was one. */
  readonly type: string | undefined
}

/**
 * Returns a row by the header whose number of columns it has. Else by one of which
 * - what is too much is empty: commas at the end;
 * - the columns after the accuracy are missing, but for the last, the type: Kismet has no RCOIs and no MfgrId;
 * - what is too much belongs to the name: not every program quotes names with commas.
 *
 * In the last two the time has to be a time, so that a row is rather lost than misread.
 */
function rowOf(fields: readonly string[], headers: readonly Columns[]): Row | undefined {
  const same = headers.find(({ length }) => length === fields.length)
  if (same && (same.firstSeen < 0 || isTimeOrNone(fields[same.firstSeen])))
    return rowAt(fields, same, same.type)
  for (const header of headers)
    if (fields.length > header.length && fields.slice(header.length).every((field) => field.trim() === ''))
      return rowAt(fields, header, header.type)
  for (const header of headers) {
    const row = shortened(fields, header) ?? rejoined(fields, header, header.length, header.type)
    if (row) return row
  }
  return same && rowAt(fields, same, same.type)
}

function isTimeOrNone(text = ''): boolean {
  return text.trim() === '' || parseTime(text) !== undefined
}

/** Reads a row that ends behind the accuracy, with its type; the name may have commas. */
function shortened(fields: readonly string[], header: Columns): Row | undefined {
  const { accuracy } = header
  const type = accuracy + 1
  if (accuracy < 0 || header.type <= type || fields.length <= type) return undefined
  if (!/^ *[a-z]+ *$/i.test(fields.at(-1) ?? '')) return undefined
  return rejoined(fields, header, type + 1, type)
}

/** @param length columns of a row whose name has no commas */
function rejoined(fields: readonly string[], header: Columns, length: number, type: number): Row | undefined {
  const { ssid, firstSeen } = header
  const extra = fields.length - length
  if (extra < 0 || ssid < 0 || firstSeen < ssid) return undefined
  const name = fields.slice(ssid, ssid + extra + 1).join(',')
  const all = [...fields.slice(0, ssid), name, ...fields.slice(ssid + extra + 1)]
  return parseTime(all[firstSeen] ?? '') === undefined ? undefined : rowAt(all, header, type)
}

function rowAt(fields: readonly string[], columns: Columns, type: number): Row {
  return {
    text: (column) => fields[columns[column]] ?? '',
    type: type < 0 ? undefined : (fields[type] ?? ''),
  }
}
