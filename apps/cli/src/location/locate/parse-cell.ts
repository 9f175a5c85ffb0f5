import { isUsableCell, radioOf } from '@bearing/contracts/location/cells/cell-identity'
import { UsageError } from '../../ground/usage-error.js'

/** A radio cell of the command line, in the shape of geolocation services. */
export interface HeardCell {
  readonly radioType: string
  readonly mobileCountryCode: number
  readonly mobileNetworkCode: number
  readonly locationAreaCode: number
  readonly cellId?: number
  readonly newRadioCellId?: number
  readonly signalStrength?: number
}

const CELL = /^([a-z]+):(\d{1,3})-(\d{1,3})-(\d{1,8})-(\d{1,11})(?::(-\d{1,3}))?$/i

/**
 * Reads a radio cell of the command line: `lte:262-1-7-9`, or `lte:262-1-7-9:-101` with its signal strength.
 *
 * @throws UsageError if it is invalid
 */
export function parseCell(text: string): HeardCell {
  const [, type = '', mcc, mnc, area, cell, signal] = CELL.exec(text) ?? []
  const radio = radioOf(type)
  const key = { mcc: Number(mcc), mnc: Number(mnc), area: Number(area), cell: Number(cell) }
  if (radio === undefined || !isUsableCell({ radio, ...key }))
    throw new UsageError(
      '--cell must be a radio, and the country, network and area code and identity of the cell, such as lte:262-1-7-9 or lte:262-1-7-9:-101.',
      'Radios are gsm, wcdma, lte and nr.',
    )
  return {
    radioType: type.toLowerCase(),
    mobileCountryCode: key.mcc,
    mobileNetworkCode: key.mnc,
    locationAreaCode: key.area,
    ...(radio === 5 ? { newRadioCellId: key.cell } : { cellId: key.cell }),
    ...(signal !== undefined && { signalStrength: Number(signal) }),
  }
}
