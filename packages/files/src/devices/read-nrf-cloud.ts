import { MAX_ROW_BYTES, readCell } from '@bearing/contracts/management/devices/device-csv'
import { readCsv } from '../csv/read-csv.js'
import type { DeviceLine } from './read-devices.js'

/**
 * Reads the list with which devices are onboarded to nRF Cloud, row by row. It has no header: device id, sub-type, tags and firmware types
 * (each separated by `|`), certificate.
 *
 * @param has whether the project has declared an attribute: sub-type and tags are left out otherwise
 */
export async function* readNrfCloud(
  chunks: AsyncIterable<Uint8Array>,
  has: (attribute: 'sub_type' | 'tags') => boolean,
): AsyncGenerator<DeviceLine> {
  for await (const rows of readCsv(chunks, { maxBytes: MAX_ROW_BYTES }))
    for (const { fields, line } of rows) {
      if (fields?.every((field) => field.trim() === '')) continue
      if (!fields) {
        yield { line, row: `has unbalanced quotes, or is longer than ${String(MAX_ROW_BYTES)} bytes` }
        continue
      }
      const [serial = '', subType = '', tags = ''] = fields.map(readCell)
      const row = new Map([['device_serial', serial]])
      if (has('sub_type')) row.set('attribute:sub_type', subType)
      if (has('tags')) row.set('attribute:tags', tags)
      yield { line, row }
    }
}
