import type { Input } from '@bearing/contracts/operation'
import type { resolveCellLocation } from '@bearing/contracts/location/cell'

/** What a radio cell is found by. */
export interface CellKey {
  /** 2 GSM, 3 UMTS, 4 LTE, 5 NR. */
  readonly radio: 2 | 3 | 4 | 5
  readonly mcc: number
  readonly mnc: number
  /** Location area or tracking area code. */
  readonly area: number
  readonly cell: number
}

/** Cells as they are sent, in either shape. */
export type SentCells = Pick<Input<typeof resolveCellLocation>, 'cellTowers' | 'lte'>

const RADIOS: Readonly<Record<string, CellKey['radio']>> = {
  gsm: 2,
  wcdma: 3,
  umts: 3,
  lte: 4,
  ltem: 4,
  nbiot: 4,
  nr: 5,
}
/** The largest area code and cell identity of each radio; the largest of all also stands for one that is not known. */
const LARGEST: Readonly<Record<CellKey['radio'], { readonly area: number; readonly cell: number }>> = {
  2: { area: 0xff_fe, cell: 0xff_fe },
  3: { area: 0xff_fe, cell: 0x0f_ff_ff_fe },
  4: { area: 0xff_fe, cell: 0x0f_ff_ff_ff },
  5: { area: 0xff_ff_fe, cell: 2 ** 36 - 1 },
}

/**
 * The cells of a request that can be looked up, each once: those that have all parts, each in its range.
 *
 * @param radioType of cells that do not say their own
 */
export function readCells({ cellTowers = [], lte = [] }: SentCells, radioType = 'lte'): CellKey[] {
  const cells = new Map<string, CellKey>()
  const add = (name: string, ...[mcc, mnc, area, cell]: readonly (number | null | undefined)[]) => {
    const radio = RADIOS[name.toLowerCase()]
    if (radio === undefined) return
    const largest = LARGEST[radio]
    if (!isWhole(mcc, 1, 999) || !isWhole(mnc, 0, 999)) return
    if (!isWhole(area, 0, largest.area) || !isWhole(cell, 0, largest.cell)) return
    cells.set([radio, mcc, mnc, area, cell].join(), { radio, mcc, mnc, area, cell })
  }
  for (const tower of cellTowers)
    add(
      tower.radioType ?? radioType,
      tower.mobileCountryCode,
      tower.mobileNetworkCode,
      tower.locationAreaCode,
      tower.newRadioCellId ?? tower.cellId,
    )
  for (const { mcc, mnc, tac, eci } of lte) add('lte', mcc, mnc, tac, eci)
  return [...cells.values()]
}

function isWhole(value: number | null | undefined, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}
