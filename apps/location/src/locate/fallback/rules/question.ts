import { createHash } from 'node:crypto'
import type { SentAccessPoints } from '@bearing/contracts/location/access-points/heard-access-point'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { formatCell, nameOfRadio, type CellKey } from '@bearing/contracts/location/cells/cell-identity'
import { areOfRadios } from '@bearing/positioning/scans/radio'
import { usableReadings } from '@bearing/positioning/scans/usable-readings'
import { sentReadings } from '../../rules/sent-readings.js'
import { readCells, type SentCells } from '../../cells/rules/read-cells.js'

/** Stations that a device has received. */
export interface Heard extends SentCells {
  readonly accessPoints?: SentAccessPoints
}

/** The part that is sent; nothing else ever is. */
export interface Question {
  /** The body, in the geolocation shape. */
  readonly body: {
    readonly considerIp: false
    readonly wifiAccessPoints?: readonly { readonly macAddress: string; readonly signalStrength?: number }[]
    readonly cellTowers?: readonly object[]
  }
  /** The LTE cells again, by the list that the device sent them in: some services distinguish these kinds of LTE. */
  readonly lteLists: Readonly<Record<LteList, readonly CellKey[]>>
  /** The same for the same access points and cells, however strong they were heard: SHA-256 in hexadecimal. */
  readonly key: string
  /** Source of an answer. */
  readonly fulfilledWith: 'WIFI' | 'MCELL' | 'SCELL'
}

/** Divisions of LTE cells by modems: LTE itself, LTE-M and NB-IoT. */
export const LTE_LISTS = ['lte', 'ltecatm', 'nbiot'] as const
export type LteList = (typeof LTE_LISTS)[number]

/** A provider is sent no more access points than this, the strongest: more make no position better. */
const MOST_ACCESS_POINTS = 40
/** Never one access point alone. */
const LEAST_RADIOS = 2

/**
 * Returns what a provider is asked: the usable access points, where they are of two radios at least, and the usable cells.
 * Networks whose owners opted out are no part of it, nor are names of networks.
 *
 * @returns undefined where there is nothing to ask
 */
export function questionOf({ accessPoints = [], ...cells }: Heard): Question | undefined {
  const scan = usableReadings(sentReadings(accessPoints))
  const isScan = areOfRadios(scan.keys(), LEAST_RADIOS)
  const heard = isScan
    ? [...scan].sort(([, a = -128], [, b = -128]) => b - a).slice(0, MOST_ACCESS_POINTS)
    : []
  const known = readCells(cells)
  if (heard.length === 0 && known.length === 0) return undefined
  return {
    body: {
      considerIp: false,
      ...(heard.length > 0 && { wifiAccessPoints: heard.map(sentAccessPoint) }),
      ...(known.length > 0 && { cellTowers: known.map(sentCell) }),
    },
    lteLists: lteListsOf(cells, known),
    key: keyOf(
      heard.map(([bssid]) => bssid),
      known,
    ),
    fulfilledWith: heard.length > 0 ? 'WIFI' : known.length > 1 ? 'MCELL' : 'SCELL',
  }
}

/** Cells that are in no list of their own are in `lte`. */
function lteListsOf(sent: SentCells, known: readonly CellKey[]): Question['lteLists'] {
  const ltecatm = readCells({ ltecatm: sent.ltecatm })
  const nbiot = readCells({ nbiot: sent.nbiot })
  const listed = new Set([...ltecatm, ...nbiot].map(formatCell))
  const lte = known.filter((cell) => cell.radio === 4 && !listed.has(formatCell(cell)))
  return { lte, ltecatm, nbiot }
}

function sentAccessPoint([bssid, signalDbm]: readonly [number, number | undefined]) {
  return {
    macAddress: formatMacAddress(bssid),
    ...(signalDbm !== undefined && { signalStrength: Math.round(signalDbm) }),
  }
}

function sentCell({ radio, mcc, mnc, area, cell }: CellKey): object {
  return {
    radioType: nameOfRadio(radio),
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
    locationAreaCode: area,
    ...(radio === 5 ? { newRadioCellId: cell } : { cellId: cell }),
  }
}

function keyOf(bssids: readonly number[], cells: readonly CellKey[]): string {
  const named = cells.map(({ radio, mcc, mnc, area, cell }) => [radio, mcc, mnc, area, cell].join())
  const parts = [[...bssids].sort((a, b) => a - b), named.sort()]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
