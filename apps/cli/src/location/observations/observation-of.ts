import { createHash } from 'node:crypto'
import { MAX_CELLS } from '@bearing/contracts/location/cells/cell'
import { isUsableCell, radioOf } from '@bearing/contracts/location/cells/cell-identity'
import { MAX_ACCESS_POINTS } from '@bearing/contracts/location/access-points/heard-access-point'
import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import {
  EARLIEST_SECONDS,
  type submitObservations,
} from '@bearing/contracts/location/observations/observation'
import type { Request } from '@bearing/contracts/operation'
import { isObject, number, text, type Report } from '@bearing/files/access-points/geosubmit'
import { signalStrength } from '@bearing/files/access-points/check-row'
import { MAX_ACCURACY_METERS } from '@bearing/files/access-points/skipped'
import { withoutOptedOut } from '../access-points/without-opted-out.js'

/** An observation to send, with a key that identifies duplicates. */
export type Observation = Request<typeof submitObservations>['items'][number] & { readonly id: string }

/** Reasons why an observation is not sent, with their texts. */
export const LEFT_OUT = {
  malformed: 'Malformed',
  bad_coordinates: 'Bad or missing coordinates',
  inaccurate: 'Accuracy worse than 200 m',
  clock_not_set: 'Time before 2001: the clock was not set, or seconds instead of milliseconds',
  nothing_heard: 'No radio cell, and no access point with a usable MAC address and a signal strength',
} as const

export type LeftOut = keyof typeof LEFT_OUT

/** Maximum length of keys of observations and devices. */
const MAX_NAME = 128
const POSITION_NUMBERS = ['accuracy', 'age', 'speed', 'altitude', 'altitudeAccuracy', 'heading'] as const

/**
 * Returns the parts of a report that are useful for learning. Network names are only read to detect opt-outs, and are not
 * sent.
 *
 * @param device the device of reports that name none
 * @returns the observation, or why it is not sent
 */
export function observationOf(
  report: Report | 'malformed',
  device: string | undefined,
): Observation | LeftOut {
  if (report === 'malformed') return report
  const { position, timestamp, said } = report
  const [latitude, longitude] = [number(position['latitude']), number(position['longitude'])]
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!isOnEarth || (latitude === 0 && longitude === 0)) return 'bad_coordinates'
  if (number(position['accuracy']) > MAX_ACCURACY_METERS) return 'inaccurate'
  if (timestamp !== undefined && timestamp < EARLIEST_SECONDS * 1_000) return 'clock_not_set'
  const wifiAccessPoints = withoutOptedOut(report.accessPoints).flatMap(heard).slice(0, MAX_ACCESS_POINTS)
  const cellTowers = cellsOf(report.said['cellTowers'])
  if (wifiAccessPoints.length === 0 && cellTowers.length === 0) return 'nothing_heard'
  const [id, device_id] = [nameOf(said['id']), nameOf(said['device_id']) ?? device]
  const observation = {
    ...(device_id !== undefined && { device_id }),
    ...(timestamp !== undefined && { timestamp }),
    position: {
      latitude,
      longitude,
      ...Object.fromEntries(
        POSITION_NUMBERS.flatMap((name) => {
          const value = position[name]
          return typeof value === 'number' ? [[name, value] as const] : []
        }),
      ),
      ...(isFloor(position['floor']) && { floor: position['floor'] }),
    },
    wifiAccessPoints,
    ...(cellTowers.length > 0 && { cellTowers }),
  }
  return { id: id ?? nameFor(observation), ...observation }
}

function isFloor(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** Derives the key from the content: 22 characters, 132 bits of SHA-256. */
function nameFor(observation: Omit<Observation, 'id'>): string {
  return createHash('sha256').update(JSON.stringify(observation)).digest('base64url').slice(0, 22)
}

const CELL_NUMBERS = [
  'mobileCountryCode',
  'mobileNetworkCode',
  'locationAreaCode',
  'cellId',
  'newRadioCellId',
  'signalStrength',
  'age',
] as const

/** Returns the complete radio cells of a report. */
function cellsOf(towers: unknown): NonNullable<Observation['cellTowers']> {
  if (!Array.isArray(towers)) return []
  return towers
    .filter(isObject)
    .flatMap((tower) => {
      const radioType = text(tower['radioType']) || 'lte'
      const numbers = Object.fromEntries(
        CELL_NUMBERS.flatMap((name) => {
          const value = tower[name]
          return typeof value === 'number' ? [[name, value] as const] : []
        }),
      )
      const radio = radioOf(radioType)
      const { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area } = numbers
      const key = radio && { radio, mcc, mnc, area, cell: numbers['newRadioCellId'] ?? numbers['cellId'] }
      return key && isUsableCell(key) ? [{ radioType, ...numbers }] : []
    })
    .slice(0, MAX_CELLS)
}

function heard(accessPoint: Report['accessPoints'][number]): NonNullable<Observation['wifiAccessPoints']> {
  const macAddress = text(accessPoint['macAddress']).trim()
  const bssid = parseMacAddress(macAddress)
  const dbm = signalStrength(number(accessPoint['signalStrength']))
  if (bssid === undefined || !isUsableBssid(bssid) || dbm === null) return []
  const age = accessPoint['age']
  return [{ macAddress, signalStrength: dbm, ...(typeof age === 'number' && { age }) }]
}

/** Rejects names that are not valid text, because different ones would become equal. */
function nameOf(value: unknown): string | undefined {
  const name = text(value)
  const isText = name.isWellFormed() && !name.includes('\ufffd')
  return name === '' || name.length > MAX_NAME || !isText ? undefined : name
}
