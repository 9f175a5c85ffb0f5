import { isUsableCell, radioOf, type CellKey } from '@bearing/contracts/location/cells/cell-identity'

/** A part of a cell, as it is sent. */
export type Sent = number | null | undefined

/** A cell in the widespread geolocation shape. */
export interface SentTower {
  readonly radioType?: string | undefined
  readonly mobileCountryCode?: Sent
  readonly mobileNetworkCode?: Sent
  readonly locationAreaCode?: Sent
  readonly cellId?: Sent
  /** Of NR alone: what clients send here of other radios is 0, −1 or left over. */
  readonly newRadioCellId?: Sent
}

/**
 * Returns what a cell is found by.
 *
 * @param otherwise radio type of one that does not say its own
 * @returns undefined where a part is missing or out of range
 */
export function keyOfTower(tower: SentTower, otherwise = 'lte'): CellKey | undefined {
  const radio = radioOf(tower.radioType ?? otherwise)
  if (radio === undefined) return undefined
  const { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId } = tower
  const key = { radio, mcc, mnc, area, cell: radio === 5 ? (tower.newRadioCellId ?? cellId) : cellId }
  return isUsableCell(key) ? key : undefined
}
