import type { CallOutput } from '@bearing/client/call-types'
import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import type { Session } from '../session/session.js'

/** Events that lists of the API contain: the others are in none. */
export const LISTED_EVENTS = [
  'device.first_seen',
  'coredump.uploaded',
  'device.location_resolved',
] as const satisfies readonly WebhookEvent[]
export type ListedEvent = (typeof LISTED_EVENTS)[number]

/** An event of a project. */
export interface RecentEvent {
  /** The same whenever the event is read. */
  readonly key: string
  readonly type: ListedEvent
  readonly at: string
  readonly deviceSerial: string | null
  /** The `data` of a delivery, without the organization and the project. */
  readonly data: object
}

type Read = (session: Session, since: string) => Promise<RecentEvent[]>

/** The most items of one request, the last ones: a page of the API. */
const MOST = 1_000

const READERS: Readonly<Record<ListedEvent, Read>> = {
  'device.first_seen': async ({ client, organization, project }, since) => {
    const { data } = await client.call('listDevices', {
      ...{ organization, project, sort: '-last_seen', page: 1, per_page: MOST, last_seen_after: since },
    })
    return data.flatMap(firstSeen)
  },
  'coredump.uploaded': async ({ client, organization, project }) => {
    const { data } = await client.call('listCoredumps', { organization, project, per_page: MOST })
    return data.map(uploaded)
  },
  'device.location_resolved': async ({ client, organization, project }, since) => {
    const found = await client.call('listLatestPositions', { organization, project, since, per_page: MOST })
    return 'data' in found ? found.data.map(resolved) : []
  },
}

/**
 * Reads the events of a project from its lists, the first ones first.
 *
 * @param types which events
 * @param since the moment from which on, RFC 3339
 */
export async function recentEvents(
  session: Session,
  types: readonly ListedEvent[],
  since: string,
): Promise<RecentEvent[]> {
  const lists = await Promise.all(types.map((type) => READERS[type](session, since)))
  return lists
    .flat()
    .filter(({ at }) => at >= since)
    .sort((one, other) => one.at.localeCompare(other.at))
}

function firstSeen(device: CallOutput<'showDevice'>): RecentEvent[] {
  const { id, device_serial, hardware_version, software_type, software_version, first_seen_at: at } = device
  if (at === null) return []
  const data = { device_serial, device: { id, hardware_version, software_type, software_version } }
  return [{ key: id, type: 'device.first_seen', at, deviceSerial: device_serial, data }]
}

function uploaded(file: CallOutput<'listCoredumps'>['data'][number]): RecentEvent {
  const { id, kind, size, sha256, device_serial, created_at: at } = file
  const data = { device_serial, file: { id, kind, size, sha256 } }
  return { key: id, type: 'coredump.uploaded', at, deviceSerial: device_serial, data }
}

type LatestPosition = Extract<CallOutput<'listLatestPositions'>, { data: unknown }>['data'][number]

function resolved(position: LatestPosition): RecentEvent {
  const { device_serial, lat, lon, uncertainty, confidence, fulfilledWith, resolved_at: at } = position
  const { floor, altitude, altitudeAccuracy } = position
  const location = {
    lat,
    lon,
    uncertainty,
    confidence,
    fulfilled_with: fulfilledWith,
    floor,
    altitude,
    altitudeAccuracy,
  }
  return {
    ...{ key: `${device_serial} ${at}`, type: 'device.location_resolved', at, deviceSerial: device_serial },
    data: { device_serial, location },
  }
}
