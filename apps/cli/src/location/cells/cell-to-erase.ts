import {
  isUsableCell,
  nameOfRadio,
  radioOf,
  type RadioName,
} from '@bearing/contracts/location/cells/cell-identity'
import { UsageError } from '../../ground/usage-error.js'

export interface NamedCell {
  readonly radioType: RadioName
  readonly mobileCountryCode: number
  readonly mobileNetworkCode: number
  readonly locationAreaCode: number
  readonly cellId: number
}

/**
 * Reads a radio cell: `lte,262,1,7001,25600001`, in the order of the columns of public files.
 *
 * @throws UsageError if it is invalid
 */
export function cellToErase(text: string): NamedCell {
  const [name = '', ...parts] = text.split(',').map((part) => part.trim())
  const [mcc, mnc, area, cell, ...more] = parts.map((part) => (/^\d{1,11}$/.test(part) ? Number(part) : NaN))
  const radio = radioOf(name)
  const key = radio && more.length === 0 && { radio, mcc, mnc, area, cell }
  if (!key || !isUsableCell(key))
    throw new UsageError(
      `"${text}" is not a radio cell.`,
      'Use radio, mcc, mnc, area, cell: lte,262,1,7001,25600001. The radio is gsm, wcdma, lte or nr.',
    )
  return {
    radioType: nameOfRadio(key.radio),
    mobileCountryCode: key.mcc,
    mobileNetworkCode: key.mnc,
    locationAreaCode: key.area,
    cellId: key.cell,
  }
}
