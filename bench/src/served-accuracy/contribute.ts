import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@bearing/client/errors'
import type { CallInput } from '@bearing/client/call-types'
import { SightingScans } from '@bearing/files/access-points/sightings'
import { wigleReader } from '@bearing/files/access-points/wigle'
import { formatMacAddress } from '@bearing/contracts/location/mac-address'
import type { TestOrganization } from '@bearing/testing/factories'
import type { TrueScan } from '../location-accuracy/scan-set.js'

/** Observations of one submission: below its largest body. */
const SUBMISSION = 150
const LEARNED_MS = 300_000
const ATTEMPTS = 5

/** What is contributed: places and signals alone; what phones say on walks; or the same as WiGLE logs that are read back. */
export type Contributed = 'places' | 'walks' | 'logs'

type Item = NonNullable<CallInput<'submitObservations'>['items']>[number]

/**
 * Has an organization contribute scans, and waits until all of them are learned from.
 *
 * @throws where that takes longer than five minutes
 */
export async function contribute(
  { slug, project, token }: TestOrganization,
  scans: readonly TrueScan[],
  what: Contributed,
) {
  const scope = { organization: slug, project: project.slug }
  const received = scans.filter(({ accessPoints }) => accessPoints.length > 0)
  const contents =
    what === 'places' ? received.map(placeOf) : what === 'walks' ? walksOf(received) : readLogs(received)
  const items = contents.map((content, index) => ({ ...content, id: String(index) }))
  for (let at = 0; at < items.length; at += SUBMISSION)
    await submit(token.client, { ...scope, items: items.slice(at, at + SUBMISSION) })
  // Each submission is learned from as a whole.
  const ids = items.filter((_, index) => index % SUBMISSION === 0).map(({ id }) => id)
  const deadline = Date.now() + LEARNED_MS
  while (!(await token.client.call('findObservations', { ...scope, ids })).known.every((one) => one)) {
    if (Date.now() > deadline) throw new Error('the scans were not learned from in time')
    await sleep(500)
  }
}

/** Contributes once more what a busy machine has not answered in time: the same ids count once. */
async function submit(client: TestOrganization['token']['client'], input: CallInput<'submitObservations'>) {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.call('submitObservations', input)
      return
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 503 || attempt === ATTEMPTS) throw error
      await sleep(1_000 * attempt)
    }
  }
}

function placeOf({ lat, lon, accessPoints }: TrueScan): Omit<Item, 'id'> {
  return { position: { latitude: lat, longitude: lon }, wifiAccessPoints: sentFrom(accessPoints) }
}

/** The last walk has just ended: scans and reference scans of more than a year ago expire. */
function sinceThen(scans: readonly TrueScan[]): number {
  const last = scans.reduce((latest, { seconds }) => Math.max(latest, seconds), 0)
  return Math.floor(Date.now() / 1_000) - 60 - last
}

function walksOf(scans: readonly TrueScan[]): Omit<Item, 'id'>[] {
  const later = sinceThen(scans)
  return scans.map((scan) => ({
    timestamp: 1_000 * (scan.seconds + later),
    device_id: scan.device,
    position: { latitude: scan.lat, longitude: scan.lon, accuracy: scan.accuracyMeters },
    wifiAccessPoints: sentFrom(scan.accessPoints),
  }))
}

const WIGLE_HEADER =
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type'

/** Writes the walks of each phone as a WiGLE log, which has no ages, and reads that as the command line does. */
function readLogs(scans: readonly TrueScan[]): Omit<Item, 'id'>[] {
  const later = sinceThen(scans)
  return [...Map.groupBy(scans, ({ device }) => device)].flatMap(([device, walked]) => {
    const reader = wigleReader(WIGLE_HEADER.split(','))
    const joined = new SightingScans()
    const reports = walked.flatMap((scan) => {
      const time = new Date(1_000 * (scan.seconds + later)).toISOString().slice(0, 19).replace('T', ' ')
      return scan.accessPoints.flatMap(({ bssid, signalDbm }) => {
        const row = `${formatMacAddress(bssid)},,,${time},1,${String(signalDbm)},${scan.lat.toFixed(7)},${scan.lon.toFixed(7)},0,${scan.accuracyMeters.toFixed(1)},WIFI`
        const sighting = reader?.readSighting?.(row.split(','))
        if (typeof sighting !== 'object') throw new Error(`a row of a log cannot be read: ${row}`)
        return joined.add(sighting)
      })
    })
    return [...reports, ...joined.end()].map(({ timestamp, position, accessPoints }) => ({
      ...(timestamp !== undefined && { timestamp }),
      device_id: device,
      position: {
        latitude: Number(position['latitude']),
        longitude: Number(position['longitude']),
        accuracy: Number(position['accuracy']),
      },
      wifiAccessPoints: accessPoints.map(({ macAddress, signalStrength }) => ({
        macAddress: String(macAddress),
        signalStrength: Number(signalStrength),
      })),
    }))
  })
}

/** What is sent of access points; ages if the phone says them. */
export function sentFrom(accessPoints: TrueScan['accessPoints']) {
  return accessPoints.map(({ bssid, signalDbm, ageMs }) => ({
    macAddress: formatMacAddress(bssid),
    signalStrength: signalDbm,
    ...(ageMs > 0 && { age: Math.round(ageMs) }),
  }))
}
