import {
  MAX_ROW_BYTES,
  readDeviceRow,
  type DeviceRow,
} from '@bearing/contracts/management/devices/device-csv'
import { readCsv } from '../csv/read-csv.js'
import { UnusableFileError } from '../unusable-file-error.js'

export interface DeviceLine {
  /** The line on which the row ends in the file, from 1. */
  readonly line: number
  readonly row: DeviceRow
}

/**
 * Reads a CSV file of devices, row by row.
 *
 * @param name the file in messages
 * @param check verifies the columns before the first row
 * @throws UnusableFileError if it has no header; the errors of `check`
 */
export async function* readDevices(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  check: (columns: readonly string[]) => void,
): AsyncGenerator<DeviceLine> {
  let columns: readonly string[] | undefined
  for await (const rows of readCsv(chunks, { maxBytes: MAX_ROW_BYTES }))
    for (const { fields, line } of rows) {
      if (fields?.every((field) => field.trim() === '')) continue
      if (columns) {
        yield { line, row: readDeviceRow(fields, columns) }
        continue
      }
      columns = fields?.map((field) => field.trim())
      if (!columns || columns.includes('')) throw new UnusableFileError(`Line ${String(line)} is no header.`)
      check(columns)
    }
  if (!columns) throw new UnusableFileError(`${name} has no header.`)
}
