import type { CallInput } from '@bearing/client/call-types'
import { ATTRIBUTE_FAULTS, readAttribute } from '@bearing/contracts/management/attribute-text'
import { DeviceSerial } from '@bearing/contracts/management/device'
import type { AttributeType, AttributeValue } from '@bearing/contracts/management/device-attribute'
import { UsageError } from '../usage-error.js'
import type { CsvRow } from './read-csv.js'

/** A device as the import operation takes it. */
export type ImportedDevice = CallInput<'importDevices'>['devices'][number]

/** Names of declared attributes, with their types. */
export type DeclaredTypes = ReadonlyMap<string, AttributeType>

const PREFIX = 'attribute:'
/** Columns of an export that an import leaves out: what devices say of themselves. */
const LEFT_OUT = new Set([
  'hardware_version',
  'software_type',
  'software_version',
  'first_seen_at',
  'last_seen_at',
  'registered_at',
])

/** @throws UsageError if the columns of a file are not those of an import */
export function checkColumns(columns: readonly string[], declared: DeclaredTypes): void {
  if (!columns.includes('device_serial')) throw new UsageError('The header has no column "device_serial".')
  const seen = new Set<string>()
  for (const column of columns) {
    if (seen.has(column)) throw new UsageError(`The header has the column "${column}" twice.`)
    seen.add(column)
    if (column === 'device_serial' || column === 'nickname' || LEFT_OUT.has(column)) continue
    if (!column.startsWith(PREFIX))
      throw new UsageError(
        `The header has an unknown column "${column}".`,
        'Columns are device_serial, nickname, and "attribute:<name>" for each attribute.',
      )
    if (!declared.has(column.slice(PREFIX.length)))
      throw new UsageError(
        `The project has not declared the attribute "${column.slice(PREFIX.length)}".`,
        'Declare it: bearing devices attributes declare <name> --type <type>.',
      )
  }
}

/**
 * Converts a row to a device. An empty cell changes nothing, or removes the value.
 *
 * @param clear whether empty cells remove values
 * @returns the device, or what is wrong with the row
 */
export function deviceOf(
  { cells, fault }: CsvRow,
  declared: DeclaredTypes,
  clear: boolean,
): ImportedDevice | string {
  if (!cells) return fault ?? 'is malformed'
  const serial = DeviceSerial.safeParse(cells.get('device_serial'))
  if (!serial.success) return 'device_serial must be 1 to 128 letters, digits, "_" and "-"'
  const nickname = cells.get('nickname')
  const attributes: Record<string, AttributeValue | null> = {}
  for (const [column, text] of cells) {
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
