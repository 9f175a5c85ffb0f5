import { ATTRIBUTE_FAULTS, readAttribute } from './attribute-text.js'
import type { AttributeType, AttributeValue } from './device-attribute.js'
import { writeCell } from '../../text/write-cell.js'
import { DeviceSerial } from './device.js'

/** A device as the import operation takes it. */
export interface ImportedDevice {
  readonly device_serial: string
  readonly nickname?: string | null
  readonly attributes?: Record<string, AttributeValue | null>
}

/** Names of declared attributes, with their types. */
export type DeclaredTypes = ReadonlyMap<string, AttributeType>

/** The cells of a row by column, or what is wrong with it. */
export type DeviceRow = ReadonlyMap<string, string> | string

const PREFIX = 'attribute:'
/** Longer rows are in no file of devices. */
export const MAX_ROW_BYTES = 65_536
/** Columns of an export that an import leaves out: what devices say of themselves. */
const FACTS = [
  'hardware_version',
  'software_type',
  'software_version',
  'first_seen_at',
  'last_seen_at',
  'registered_at',
] as const
const LEFT_OUT: ReadonlySet<string> = new Set(FACTS)

/** A device with what an export writes of it. */
type ExportedDevice = Readonly<Record<(typeof FACTS)[number], string | null>> & {
  readonly device_serial: string
  readonly nickname: string | null
  readonly attributes?: Readonly<Record<string, AttributeValue>> | undefined
}

/** Returns the header of an export. @param declared the attributes of the project, in the order of their columns */
export function exportedColumns(declared: DeclaredTypes): string {
  return ['device_serial', 'nickname', ...[...declared.keys()].map((name) => PREFIX + name), ...FACTS].join()
}

/** Returns the line of a device in an export. An import of the file reads the same values. */
export function exportedRow(device: ExportedDevice, declared: DeclaredTypes): string {
  return [
    writeCell(device.device_serial, true),
    writeCell(device.nickname ?? '', true),
    ...[...declared].map(([name, type]) =>
      writeCell(String(device.attributes?.[name] ?? ''), type === 'string'),
    ),
    ...FACTS.map((fact) => writeCell(device[fact] ?? '', true)),
  ].join()
}

/**
 * Checks the columns of a CSV file of devices.
 *
 * @returns what is wrong with them and, if there is something to do about it, what; undefined if nothing is
 */
export function faultOfColumns(
  columns: readonly string[],
  declared: DeclaredTypes,
): { readonly fault: string; readonly hint?: string } | undefined {
  if (!columns.includes('device_serial')) return { fault: 'The header has no column "device_serial".' }
  const seen = new Set<string>()
  for (const column of columns) {
    if (seen.has(column)) return { fault: `The header has the column "${column}" twice.` }
    seen.add(column)
    if (column === 'device_serial' || column === 'nickname' || LEFT_OUT.has(column)) continue
    if (!column.startsWith(PREFIX))
      return {
        fault: `The header has an unknown column "${column}".`,
        hint: 'Columns are device_serial, nickname, and "attribute:<name>" for each attribute.',
      }
    if (!declared.has(column.slice(PREFIX.length)))
      return {
        fault: `The project has not declared the attribute "${column.slice(PREFIX.length)}".`,
        hint: 'Declare it: bearing devices attributes declare <name> --type <type>.',
      }
  }
  return undefined
}

/** Reads a row. @returns the cells by column, or what is wrong with the row */
export function readDeviceRow(cells: readonly string[] | undefined, columns: readonly string[]): DeviceRow {
  if (!cells) return `has unbalanced quotes, or is longer than ${String(MAX_ROW_BYTES)} bytes`
  if (cells.some((cell) => cell.includes('\ufffd'))) return 'is not UTF-8'
  if (cells.length !== columns.length)
    return `has ${String(cells.length)} cells, and the header has ${String(columns.length)}`
  return new Map(columns.map((name, index) => [name, readCell(cells[index] ?? '')]))
}

/**
 * Converts a row to a device. An empty cell changes nothing, or removes the value.
 *
 * @param clear whether empty cells remove values
 * @returns the device, or what is wrong with the row
 */
export function importedDevice(
  row: DeviceRow,
  declared: DeclaredTypes,
  clear: boolean,
): ImportedDevice | string {
  if (typeof row === 'string') return row
  const serial = DeviceSerial.safeParse(row.get('device_serial'))
  if (!serial.success) return 'device_serial must be 1 to 128 letters, digits, "_" and "-"'
  const nickname = row.get('nickname')
  const attributes: Record<string, AttributeValue | null> = {}
  for (const [column, text] of row) {
    if (!column.startsWith(PREFIX)) continue
    const name = column.slice(PREFIX.length)
    const type = declared.get(name) ?? 'string'
    if (text === '') {
      if (clear) attributes[name] = null
      continue
    }
    const value = readAttribute(type, text)
    if (value === undefined) return `${name} ${ATTRIBUTE_FAULTS[type]}`
    attributes[name] = value
  }
  return {
    device_serial: serial.data,
    ...(nickname !== undefined &&
      (nickname !== '' || clear) && { nickname: nickname === '' ? null : nickname }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  }
}

/** Returns the text of a cell, without the apostrophe that an export puts in front of what a spreadsheet would run as a formula. */
export function readCell(cell: string): string {
  const text = cell.trim()
  return text.startsWith("'") && /^'[=+\-@\t\r']/.test(text) ? text.slice(1) : text
}
