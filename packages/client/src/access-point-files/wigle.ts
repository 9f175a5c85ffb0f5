import {
  checkCircumstances,
  checkRow,
  signalStrength,
  type Reading,
  type RowReader,
  type Sighting,
} from './row-reader.js'
import { columnsOf, fieldsOf, PlainFields, splitRow, type Fields } from './split-row.js'

/** Versions before 1.4 have other columns. */
const OLDEST = { major: 1, minor: 4 }

/** Where the columns are that are needed; −1 where there is none. */
interface Columns {
  readonly length: number
  readonly mac: number
  readonly ssid: number
  readonly firstSeen: number
  readonly rssi: number
  readonly latitude: number
  readonly longitude: number
  readonly accuracy: number
  readonly type: number
}

/** Whether a first line is that of a WiGLE CSV export that we read. */
export function isWigleHeader(line: string): boolean {
  const [, major, minor] = /^WigleWifi-(\d+)\.(\d+)/.exec(line) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
}

/**
 * Reads the rows of a WiGLE CSV export: one observation of a network in each.
 *
 * @param header the line with the names of the columns
 * @returns undefined where columns are missing
 */
export function wigleReader(header: string): RowReader | undefined {
  const first = readHeader(header)
  if (!first) return undefined
  let columns = first
  let plain = new PlainFields(columns.length)
  const fieldsIn = (line: string): Fields | 'malformed' | undefined => {
    if (line === '' || line.startsWith('#') || line.startsWith('WigleWifi-')) return undefined
    if (/^"?mac"?,/i.test(line)) {
      // Files of several sessions, one after the other; the columns may have changed.
      columns = readHeader(line) ?? columns
      plain = new PlainFields(columns.length)
      return undefined
    }
    if (plain.take(line)) return plain
    const fields = rejoined(line, columns)
    return fields ? fieldsOf(fields) : 'malformed'
  }
  return {
    content: 'observations',
    read(line) {
      const fields = fieldsIn(line)
      return typeof fields === 'object' ? readFields(fields, columns) : fields
    },
    readSighting(line) {
      const fields = fieldsIn(line)
      return typeof fields === 'object' ? sightingIn(fields, columns) : fields
    },
  }
}

function readHeader(line: string): Columns | undefined {
  const names = splitRow(line)
  if (!names) return undefined
  const byName = columnsOf(names)
  const at = (name: string) => byName.get(name) ?? -1
  const columns: Columns = {
    length: names.length,
    mac: at('mac'),
    ssid: at('ssid'),
    firstSeen: at('firstseen'),
    rssi: at('rssi'),
    latitude: at('currentlatitude'),
    longitude: at('currentlongitude'),
    accuracy: at('accuracymeters'),
    type: at('type'),
  }
  return columns.mac < 0 || columns.latitude < 0 || columns.longitude < 0 ? undefined : columns
}

/**
 * The fields of a row. Not every program that writes this format quotes network names with commas and quotes in them:
 * where the row has too many fields, what is too much belongs to the name, and the columns after it are counted from
 * the end. That the time then stands where it should is asked for, so that a row is rather lost than misread.
 */
function rejoined(line: string, columns: Columns): readonly string[] | undefined {
  const { length, ssid, firstSeen } = columns
  const fields = splitRow(line)
  if (fields?.length === length) return fields
  const parts = line.split(',')
  const extra = parts.length - length
  if (extra < 0 || ssid < 0 || firstSeen < ssid) return undefined
  const name = parts.slice(ssid, ssid + extra + 1).join(',')
  const all = [...parts.slice(0, ssid), name, ...parts.slice(ssid + extra + 1)]
  return /^"?\d{4}-\d\d-\d\d\b/.test(all[firstSeen] ?? '') ? all : undefined
}

function readFields(fields: Fields, columns: Columns): Reading {
  if (columns.type >= 0 && !isWifi(fields.at(columns.type))) return 'not_wifi'
  const row = checkRow(
    fields.at(columns.mac),
    fields.at(columns.latitude),
    fields.at(columns.longitude),
    signalStrength(fields.at(columns.rssi)),
  )
  return checkCircumstances(row, { ssid: fields.at(columns.ssid), accuracy: fields.at(columns.accuracy) })
}

function sightingIn(fields: Fields, columns: Columns): Sighting | 'not_wifi' {
  if (columns.type >= 0 && !isWifi(fields.at(columns.type))) return 'not_wifi'
  const numberAt = (column: number) => {
    const text = fields.at(column).trim()
    return text === '' ? NaN : Number(text)
  }
  return {
    macAddress: fields.at(columns.mac).trim(),
    ssid: fields.at(columns.ssid),
    signalStrength: numberAt(columns.rssi),
    latitude: numberAt(columns.latitude),
    longitude: numberAt(columns.longitude),
    accuracy: numberAt(columns.accuracy),
    timestamp: secondIn(fields.at(columns.firstSeen)),
  }
}

/** Reads `2024-01-01 10:00:00`, which is UTC, in milliseconds since 1970. */
function secondIn(text: string): number | undefined {
  const [, day, time] = /^"?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text.trim()) ?? []
  const timestamp = Date.parse(`${day ?? ''}T${time ?? ''}Z`)
  return Number.isNaN(timestamp) ? undefined : timestamp
}

function isWifi(type: string): boolean {
  return type === 'WIFI' || type.trim().toUpperCase() === 'WIFI'
}
