/** Generation of a radio: 2 GSM, 3 UMTS, 4 LTE (LTE-M and NB-IoT too), 5 NR. */
export type Radio = 2 | 3 | 4 | 5

/** Values by which a radio cell is found. */
export interface CellKey {
  readonly radio: Radio
  readonly mcc: number
  readonly mnc: number
  /** Location area or tracking area code. */
  readonly area: number
  readonly cell: number
}

const RADIOS: ReadonlyMap<string, Radio> = new Map([
  ['gsm', 2],
  ['wcdma', 3],
  ['umts', 3],
  ['lte', 4],
  ['ltem', 4],
  ['nbiot', 4],
  ['nr', 5],
])
/** The largest area code and cell identity of each radio; the largest of all also stands for one that is not known. */
const LARGEST: Readonly<Record<Radio, { readonly area: number; readonly cell: number }>> = {
  2: { area: 0xff_fe, cell: 0xff_fe },
  3: { area: 0xff_fe, cell: 0x0f_ff_ff_fe },
  4: { area: 0xff_fe, cell: 0x0f_ff_ff_ff },
  5: { area: 0xff_ff_fe, cell: 2 ** 36 - 1 },
}

/** Returns a radio by the name that devices and files have for it, in any case. */
export function radioOf(name: string): Radio | undefined {
  return RADIOS.get(name.toLowerCase())
}

/** Returns whether a cell has all parts, each in its range. */
export function isUsableCell(cell: {
  readonly [Name in keyof CellKey]: Name extends 'radio' ? Radio : number | null | undefined
}): cell is CellKey {
  const largest = LARGEST[cell.radio]
  return (
    isWhole(cell.mcc, 1, 999) &&
    isWhole(cell.mnc, 0, 999) &&
    isWhole(cell.area, 0, largest.area) &&
    isWhole(cell.cell, 0, largest.cell)
  )
}

/** Returns the order of cells: by radio, country, network, area and identity. 0: they are the same one. */
export function compareCells(one: CellKey, other: CellKey): number {
  return (
    one.radio - other.radio ||
    one.mcc - other.mcc ||
    one.mnc - other.mnc ||
    one.area - other.area ||
    one.cell - other.cell
  )
}

/** The name that files and people have for a radio. */
const NAMES = { 2: 'gsm', 3: 'wcdma', 4: 'lte', 5: 'nr' } as const
export type RadioName = (typeof NAMES)[Radio]

/** Returns what devices and files call a radio. */
export function nameOfRadio(radio: Radio): RadioName {
  return NAMES[radio]
}

/** Returns a cell as a text: `lte,262,1,7,9`, in the order of the columns of public files. */
export function formatCell({ radio, mcc, mnc, area, cell }: CellKey): string {
  return [nameOfRadio(radio), mcc, mnc, area, cell].join()
}

function isWhole(value: number | null | undefined, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}
