import { createHash } from 'node:crypto'
import { exportedFrom } from '@bearing/contracts/location/observations/exported-observation'
import { MAX_CELLS } from '@bearing/contracts/location/cells/cell'
import type { Mistake } from '@bearing/contracts/errors'
import { MAX_ACCESS_POINTS } from '@bearing/contracts/location/access-points/heard-access-point'
import { LeftOut, mistakesIn } from '@bearing/contracts/location/access-points/left-out'
import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import type {
  IGNORED,
  ObservationMessage,
  SubmittedObservation,
  submitObservations,
} from '@bearing/contracts/location/observations/observation'
import type { Input } from '@bearing/contracts/operation'
import { updateFrom } from '@bearing/positioning/learning/evidence/learn'
import { optedOut } from '@bearing/positioning/scans/usable-readings'
import { keyOfTower } from '../../locate/cells/rules/key-of-tower.js'
import type { Principal } from '@bearing/contracts/principal'
import { clientNetworkPath } from '@bearing/access/client-network'
import type { Scope } from '../../ground/scope.js'
import { contributionOf } from '../submission.js'

type Submission = Input<typeof submitObservations>
type Observation = ObservationMessage['observations'][number]

/** The kind of the contributor, and its IP address. */
export interface Contributor {
  readonly kind: Principal['kind']
  readonly address: string
}

/**
 * Accuracy that is assumed for a position that states none, in meters (as in Mozilla’s ichnaea, `Report.accuracy_weight`):
 * satellite receivers state it, and people who survey a building by hand know their place.
 */
const UNKNOWN_ACCURACY_METERS = 10
/** The same of an altitude. */
const UNKNOWN_ALTITUDE_METERS = 10
/** Speed that is assumed for a device that states none, in meters a second: walking speed. */
const UNKNOWN_SPEED = 1.5

/** Stored part of a submission, and the reasons against the rest of it. */
export interface ReadSubmission {
  readonly message: ObservationMessage
  readonly reasons: Partial<Record<IgnoredReason, number>>
  /** Errors of the first malformed observations. */
  readonly errors: readonly Mistake[]
}

type IgnoredReason = (typeof IGNORED)[number]

/** Mistakes that are reported. */
const MAX_ERRORS = 20

/**
 * Returns what is stored of a submission: the observations that can be learned from. Names of networks, and networks that opted out, are
 * no part of it.
 *
 * @param by a project key is in every device, so what comes with it is weighed by client network
 * @param nowMs milliseconds since 1970: when those were heard that do not say
 */
export function messageOf(submission: Submission, by: Contributor, nowMs: number): ReadSubmission {
  const { organization_id, project_id, idempotency_key: key, items } = submission
  const idOf = (...parts: readonly string[]) => idFrom([organization_id, project_id, ...parts])
  const reasons: Partial<Record<IgnoredReason, number>> = {}
  const ignore = (reason: IgnoredReason) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  const observations: Observation[] = []
  items.forEach((item, index) => {
    if (item instanceof LeftOut) {
      ignore('malformed')
      return
    }
    const observation = observationOf(item, nowMs)
    const update = updateFrom(contributionOf(observation), undefined, nowMs / 1_000)
    if (!update.accepted) {
      ignore(update.reason)
      return
    }
    const id = item.id
      ? idOfNamed(submission, item.id)
      : key
        ? idOf('key', key, String(index))
        : idOf('content', JSON.stringify(item))
    const original = item.id ? exportedFrom(item.id) : undefined
    observations.push({
      ...observation,
      id,
      ...(original && { copy_of: original }),
      device: item.device_id ? idOf('device', item.device_id) : null,
    })
  })
  const network =
    by.kind === 'project_key' || by.kind === 'device'
      ? idOf('network', clientNetworkPath(by.address)[0] ?? '')
      : null
  const message = { organization_id, project_id, network, observations }
  return { message, reasons, errors: mistakesIn({ items }).slice(0, MAX_ERRORS) }
}

/** Returns the id of an observation that says what it is called. */
export function idOfNamed({ organization_id, project_id }: Scope, name: string): string {
  return idFrom([organization_id, project_id, 'id', name])
}

/** Returns the id of a message: the same for the same observations. */
export function messageId({ observations }: ObservationMessage): string {
  return idFrom(observations.map(({ id }) => id))
}

function observationOf(
  { timestamp, position, wifiAccessPoints, cellTowers = [] }: SubmittedObservation,
  nowMs: number,
): Omit<Observation, 'id' | 'copy_of' | 'device'> {
  const { latitude: lat, longitude: lon, accuracy = UNKNOWN_ACCURACY_METERS, age = 0, speed } = position
  // The device may have moved since it was where it says.
  const gone = ((speed ?? UNKNOWN_SPEED) * Math.abs(age)) / 1_000
  return {
    at_seconds: (timestamp ?? nowMs) / 1_000,
    lat,
    lon,
    accuracy_meters: accuracy + gone,
    speed: speed ?? null,
    ...heightOf(position),
    readings: readingsOf(wifiAccessPoints),
    cells: cellTowers.flatMap(cellOf).slice(0, MAX_CELLS),
  }
}

function heightOf({ floor, altitude, altitudeAccuracy }: SubmittedObservation['position']) {
  const meters = altitude !== undefined && {
    altitude: { meters: altitude, accuracyMeters: altitudeAccuracy ?? UNKNOWN_ALTITUDE_METERS },
  }
  return floor === undefined && !meters
    ? {}
    : { height: { ...(floor !== undefined && { floor }), ...meters } }
}

function readingsOf(heard: SubmittedObservation['wifiAccessPoints']): Observation['readings'] {
  const without = optedOut(heard.map(({ macAddress, ssid }) => ({ bssid: macAddress, networkName: ssid })))
  const readings = heard.flatMap(({ macAddress, signalStrength, age }): Observation['readings'] => {
    if (signalStrength === undefined || !isUsableBssid(macAddress) || without?.has(macAddress)) return []
    // A signal that is only just valid must not become none.
    const signalDbm = Math.min(-1, Math.round(signalStrength))
    return [[macAddress, signalDbm, age === undefined ? null : Math.abs(age)]]
  })
  if (readings.length <= MAX_ACCESS_POINTS) return readings
  return readings.sort(([, one], [, other]) => other - one).slice(0, MAX_ACCESS_POINTS)
}

/** The weakest signal that any radio reports, in dBm. */
const WEAKEST_DBM = -156

/** Returns a cell as it is stored; nothing where it has a part missing or out of range. */
function cellOf(tower: NonNullable<SubmittedObservation['cellTowers']>[number]): Observation['cells'] {
  const key = keyOfTower(tower)
  if (!key) return []
  const { signalStrength: signal, age } = tower
  const isSignal = typeof signal === 'number' && signal >= WEAKEST_DBM && signal < 0
  return [
    [
      ...([key.radio, key.mcc, key.mnc, key.area, key.cell] as const),
      isSignal ? Math.min(-1, Math.round(signal)) : null,
      typeof age === 'number' ? Math.abs(age) : null,
    ],
  ]
}

/** Returns a UUID of version 8 (RFC 9562 §5.8) from SHA-256 over texts. */
export function idFrom(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
